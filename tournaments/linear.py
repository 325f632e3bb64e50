"""Linear algebra of small symmetric matrices, as much as ratings need: fifty rows, not thousands."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, TypeAlias

Vector: TypeAlias = Sequence[float]
Matrix: TypeAlias = Sequence[Sequence[float]]

_TINY: Final = 1e-12


class SingularError(ValueError):
    """The equations have no single solution."""


def inverse(matrix: Matrix) -> list[list[float]]:
    """The inverse by elimination (Gauss and Jordan, with partial pivots).

    >>> inverse([[2.0, 0.0], [0.0, 4.0]])
    [[0.5, 0.0], [0.0, 0.25]]
    """
    size = len(matrix)
    tiny = _TINY * max((abs(value) for row in matrix for value in row), default=0.0)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for column in range(size):
        best = max(range(column, size), key=lambda i: abs(rows[i][column]))
        pivot = rows[best][column]
        if abs(pivot) <= tiny:
            raise SingularError("the equations have no single solution")
        rows[best], rows[column] = rows[column], [value / pivot for value in rows[best]]
        for i in range(size):
            if i != column and (factor := rows[i][column]):
                pairs = zip(rows[i], rows[column], strict=True)
                rows[i] = [value - factor * lead for value, lead in pairs]
    return [row[size:] for row in rows]


def pseudo_inverse(laplacian: Matrix, islands: Sequence[int] | None = None) -> list[list[float]]:
    """The inverse of a matrix whose rows sum to 0, among the vectors that sum to 0.

    Such matrices say how entries differ and nothing of their mean. So a matrix of equal entries, which knows
    only the mean, is added before the inversion and taken away after it. When the matrix falls apart
    into `islands` (entries with the same number are linked), then every island has its own mean.
    """
    numbers = islands or [0] * len(laplacian)
    sizes = Counter(numbers)
    mean = [[(one == other) / sizes[one] for other in numbers] for one in numbers]
    return _sum(inverse(_sum(laplacian, mean, 1)), mean, -1)


def _sum(left: Matrix, right: Matrix, sign: int) -> list[list[float]]:
    rows = zip(left, right, strict=True)
    return [[a + sign * b for a, b in zip(one, other, strict=True)] for one, other in rows]


def product(left: Matrix, right: Matrix) -> list[list[float]]:
    """The product of two matrices."""
    columns = list(zip(*right, strict=True))
    return [[dot(row, column) for column in columns] for row in left]


def times(matrix: Matrix, vector: Vector) -> list[float]:
    """The product of a matrix and a vector."""
    return [dot(row, vector) for row in matrix]


def dot(left: Vector, right: Vector) -> float:
    """The inner product of two vectors."""
    return sum(one * other for one, other in zip(left, right, strict=True))


def centred(values: Vector) -> list[float]:
    """The values less their mean."""
    mean = sum(values) / max(1, len(values))
    return [value - mean for value in values]


def centred_covariance(covariance: Matrix) -> list[list[float]]:
    """The covariance of values from which their mean has been taken."""
    rows = [centred(column) for column in zip(*covariance, strict=True)]
    return [centred(row) for row in zip(*rows, strict=True)]

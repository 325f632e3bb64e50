// Runs in the test's own page, around the pages under test: those have no script.

const parse = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);

function luminance(colour) {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function paper(element) {
  for (let at = element; at; at = at.parentElement) {
    const [red, green, blue, alpha = 1] = parse(getComputedStyle(at).backgroundColor);
    if (alpha === 1) return [red, green, blue];
  }
  return [255, 255, 255];
}

// The words that can be read worst, with their contrast.
function faintest(body) {
  let worst = { contrast: 21, words: "" };
  const texts = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const words = texts.currentNode.data.trim();
    const element = texts.currentNode.parentElement;
    if (!words || element.closest(".hidden")) continue;
    const style = getComputedStyle(element);
    const ink = parse(element.namespaceURI.endsWith("svg") ? style.fill : style.color);
    const found = contrast(ink.slice(0, 3), paper(element));
    if (found < worst.contrast) worst = { contrast: found, words };
  }
  return worst;
}

function measured(frame) {
  const page = frame.contentDocument;
  const root = page.scrollingElement;
  const box = (element) => element.getBoundingClientRect();
  return {
    name: frame.name,
    width: root.clientWidth,
    overflow: root.scrollWidth - root.clientWidth,
    paper: paper(page.body),
    faintest: faintest(page.body),
    rows: [...page.querySelectorAll("tr")].filter((row) => box(row).height > 10).length,
    pictures: [...page.querySelectorAll("svg")].filter((each) => box(each).width > 100).length,
    scrolling: [...page.querySelectorAll(".scroll")]
      .filter((each) => each.scrollWidth > each.clientWidth)
      .map((each) => each.getAttribute("aria-label")),
    asked_for: frame.contentWindow.performance.getEntriesByType("resource").length,
  };
}

addEventListener("load", () => {
  const found = document.createElement("pre");
  found.id = "found";
  found.textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(measured));
  document.body.append(found);
});

"""Protocol 1 and the replay log: messages, codec, session, fault words. Imports msgspec only.

Nothing of the rest of the project is needed here, and no event loop: a bot author can read this
package alone.
"""

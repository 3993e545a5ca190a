/**
 * A browser that translates a page puts a <font> in the place of each text, which React goes on changing, moving and
 * removing: without this it fails there ("NotFoundError"), or the page shows what was so when it was translated.
 */

/** What stands in a text's place, for texts that were taken out of the page. */
const standIns = new WeakMap<Node, HTMLElement>()

const isFont = (node: Node | null): node is HTMLElement => node?.nodeName === 'FONT'

/** The child of `parent` that is this node, stands for it or holds it; null where nothing of it is left. */
function placeIn(parent: Node, node: Node): Node | null {
  let at: Node | null = node.parentNode ? node : (standIns.get(node) ?? null)
  while (at && at.parentNode !== parent) at = at.parentNode
  return at
}

/** Remembers which <font> came for a text, and tells it what the text says from then on. */
function watch(records: MutationRecord[], observer: MutationObserver): void {
  for (const { type, target, removedNodes, addedNodes, previousSibling, nextSibling } of records) {
    if (type === 'characterData') {
      const standIn = target.parentNode ? undefined : standIns.get(target)
      if (standIn) standIn.textContent = target.nodeValue
      continue
    }
    for (const node of removedNodes) {
      const standIn = [...addedNodes, previousSibling, nextSibling].find(isFont)
      if (node.nodeType !== Node.TEXT_NODE || node.parentNode || !standIn) continue
      standIns.set(node, standIn)
      observer.observe(node, { characterData: true })
    }
  }
}

/** From now on the page may be translated. */
export function surviveTranslation(): void {
  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const place = placeIn(this, child)
    if (place) removeChild.call(this, place)
    // What the translation itself has taken away.
    else if (child.parentNode === null) return child
    else removeChild.call(this, child)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    const place = before && placeIn(this, before)
    if (before && !place && before.parentNode) return insertBefore.call(this, node, before) as T
    return insertBefore.call(this, node, place) as T
  }
  new MutationObserver(watch).observe(document, { childList: true, subtree: true })
}

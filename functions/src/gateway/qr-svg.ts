/**
 * Pictures of QR codes that a gateway draws. They are shown inside the shop's own pages, so that everything but a plain
 * drawing is refused.
 */

const MOST_CHARACTERS = 256 * 1024

const ELEMENTS = new Set(
  'svg g defs symbol use path rect circle ellipse line polyline polygon text tspan image clippath mask pattern lineargradient radialgradient stop style title desc'.split(
    ' ',
  ),
)
const NAMESPACE: Record<string, string> = {
  xmlns: 'http://www.w3.org/2000/svg',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
}

/** In this order: a tag's end mark, its name, its attributes, whether it has no content; or text. */
const TOKEN = /<(\/?)([A-Za-z]+)((?:\s+[A-Za-z_:][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<>]+)/y
const ATTRIBUTE = /([A-Za-z_:][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
/** Part of a picture itself, or pixels within it. */
const INNER_LINK = /^(#[\w.-]+|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+)$/
/** The only references that can't hide anything. */
const STRANGE_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos);)/
const OUTER_STYLE = /@|\\|expression|javascript:|url\s*\((?!\s*["']?#[\w.-]+["']?\s*\))/i

function isPlainAttribute(name: string, value: string): boolean {
  const small = name.toLowerCase()
  if (STRANGE_REFERENCE.test(value) || small.startsWith('on')) return false
  if (small === 'href' || small === 'xlink:href') return INNER_LINK.test(value)
  if (small in NAMESPACE) return value === NAMESPACE[small]
  return !['src', 'srcset', 'xml:base'].includes(small) && !OUTER_STYLE.test(value)
}

const hasPlainAttributes = (attributes: string): boolean =>
  [...attributes.matchAll(ATTRIBUTE)].every(([, name, double, single]) =>
    isPlainAttribute(name!, double ?? single ?? ''),
  )

/** Whether a text is one `<svg>` of plain elements, each of them closed. */
function isPlainDrawing(drawing: string): boolean {
  const open: string[] = []
  TOKEN.lastIndex = 0
  for (let at = 0; at < drawing.length; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(drawing)
    if (!token || (at > 0 && open.length === 0)) return false
    const [, end, name, attributes = '', empty, text] = token
    if (text !== undefined) {
      if (open.length === 0 || STRANGE_REFERENCE.test(text) || OUTER_STYLE.test(text)) return false
      continue
    }
    const element = name!.toLowerCase()
    if (!ELEMENTS.has(element) || (at === 0 && element !== 'svg')) return false
    if (end) {
      if (attributes || empty || open.pop() !== name) return false
    } else if (!hasPlainAttributes(attributes)) return false
    else if (!empty) open.push(name!)
  }
  return open.length === 0
}

/** Returns the drawing without what stands before it; null when it is something else, or could do more than be seen. */
export function readQrSvg(text: string): string | null {
  if (text.length > MOST_CHARACTERS) return null
  const drawing = text
    .replace(/^\uFEFF?\s*(<\?xml[^<>]*\?>)?/, '')
    .replace(/<!--(?:(?!--)[^<>])*-->/g, '')
    .replace(/^\s*<!DOCTYPE\s+svg[^[\]<>]*>/i, '')
    .trim()
  return drawing !== '' && isPlainDrawing(drawing) ? drawing : null
}

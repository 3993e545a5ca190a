import { html } from 'hono/html'

type Fields = Record<string, unknown>
export type Html = ReturnType<typeof html>

const textSizes: Record<string, string> = {
  xxs: '11px',
  xs: '13px',
  sm: '14px',
  md: '16px',
  lg: '19px',
  xl: '22px',
  xxl: '29px',
  '3xl': '35px',
  '4xl': '48px',
  '5xl': '74px',
}
const imageSizes: Record<string, string> = {
  xxs: '40px',
  xs: '60px',
  sm: '80px',
  md: '100px',
  lg: '120px',
  xl: '140px',
  xxl: '160px',
  '3xl': '180px',
  '4xl': '200px',
  '5xl': '220px',
  full: '100%',
}
const gaps: Record<string, string> = {
  none: '0',
  xs: '2px',
  sm: '4px',
  md: '8px',
  lg: '12px',
  xl: '16px',
  xxl: '20px',
}
const bubbleWidths: Record<string, string> = {
  nano: '120px',
  micro: '160px',
  deca: '220px',
  hecto: '241px',
  kilo: '260px',
  mega: '300px',
  giga: '386px',
}

/** Returns the address that a link in this chat opens. LIFF links of the shop open inside the emulated LINE. */
export type OpenUri = (uri: string) => string

/** Draws a Flex container about as LINE shows it. Unknown components become empty boxes. */
export function renderFlex(container: Fields, openUri: OpenUri): Html {
  const bubbles = container.type === 'carousel' ? asList(container.contents) : [container]
  return html`<div class="flex-row">${bubbles.map(bubble => renderBubble(bubble, openUri))}</div>`
}

function asList(value: unknown): Fields[] {
  return Array.isArray(value) ? value : []
}

const blockPadding: Record<string, string> = { header: '20px', body: '20px', footer: '10px' }

function renderBubble(bubble: Fields, openUri: OpenUri): Html {
  const styles = (bubble.styles ?? {}) as Record<string, Fields>
  const blocks = ['header', 'hero', 'body', 'footer'].filter(name => bubble[name])
  return html`<div class="bubble" style="width:${bubbleWidths[String(bubble.size ?? 'mega')] ?? '300px'}">
    ${blocks.map(name => {
      const block = bubble[name] as Fields
      const style = joinStyle({
        background: styles[name]?.backgroundColor,
        'border-top': styles[name]?.separator ? `1px solid ${styles[name].separatorColor ?? '#d4d6da'}` : undefined,
      })
      const padded = block.type === 'box' ? { paddingAll: blockPadding[name], ...block } : block
      return html`<div style="${style}">${renderComponent(padded, 'vertical', undefined, openUri)}</div>`
    })}
  </div>`
}

function joinStyle(style: Record<string, unknown>): string {
  return Object.entries(style)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
}

function toGap(value: unknown): string | undefined {
  return value === undefined ? undefined : (gaps[String(value)] ?? String(value))
}

/** Returns the style of a component's place in its parent: its share of the space, its margin and its offsets. */
function getPlace(component: Fields, parentLayout: string, spacing: string | undefined): Record<string, unknown> {
  const isRow = parentLayout !== 'vertical'
  const defaultFlex = isRow && !['icon', 'separator'].includes(component.type as string) ? 1 : 0
  const flex = Number(component.flex ?? defaultFlex)
  const margin = toGap(component.margin) ?? spacing
  return {
    flex: flex ? `${flex} ${isRow ? '1' : '0'} ${isRow ? '0' : 'auto'}` : '0 0 auto',
    [isRow ? 'margin-left' : 'margin-top']: margin,
    'min-width': isRow && flex ? '0' : undefined,
    position: component.position,
    top: toGap(component.offsetTop),
    bottom: toGap(component.offsetBottom),
    left: toGap(component.offsetStart),
    right: toGap(component.offsetEnd),
  }
}

function renderComponent(component: Fields, layout: string, spacing: string | undefined, openUri: OpenUri): Html {
  const place = getPlace(component, layout, spacing)
  switch (component.type) {
    case 'box':
      return renderBox(component, place, openUri)
    case 'text':
      return renderText(component, place)
    case 'button':
      return renderButton(component, place, openUri)
    case 'image':
      return renderImage(component, place, openUri)
    case 'icon':
      return html`<img class="icon" alt="" src="${component.url}"
        style="${joinStyle({ ...place, height: textSizes[String(component.size ?? 'md')] ?? component.size })}" />`
    case 'separator': {
      const line = `1px solid ${component.color ?? '#d4d6da'}`
      return html`<div style="${joinStyle({ ...place, [layout === 'vertical' ? 'border-top' : 'border-left']: line })}"></div>`
    }
    default:
      return html`<div style="${joinStyle(place)}"></div>`
  }
}

function renderBox(box: Fields, place: Fields, openUri: OpenUri): Html {
  const layout = String(box.layout)
  const isRow = layout !== 'vertical'
  const spacing = toGap(box.spacing)
  const style = joinStyle({
    ...place,
    display: 'flex',
    position: place.position ?? 'relative',
    'flex-direction': isRow ? 'row' : 'column',
    'align-items': box.alignItems ?? (layout === 'baseline' ? 'baseline' : undefined),
    'justify-content': box.justifyContent,
    background: box.backgroundColor,
    border:
      box.borderWidth || box.borderColor
        ? `${toBorder(box.borderWidth)} solid ${box.borderColor ?? '#d4d6da'}`
        : undefined,
    'border-radius': toGap(box.cornerRadius),
    width: box.width,
    height: box.height,
    'max-width': box.maxWidth,
    'max-height': box.maxHeight,
    padding: toGap(box.paddingAll),
    'padding-top': toGap(box.paddingTop),
    'padding-bottom': toGap(box.paddingBottom),
    'padding-left': toGap(box.paddingStart),
    'padding-right': toGap(box.paddingEnd),
    overflow: box.cornerRadius ? 'hidden' : undefined,
  })
  const children = asList(box.contents).map((child, index) =>
    renderComponent(child, layout, index ? spacing : undefined, openUri),
  )
  return box.action
    ? renderAction(box.action as Fields, style, '', children, openUri)
    : html`<div style="${style}">${children}</div>`
}

function toBorder(width: unknown): string {
  const named: Record<string, string> = {
    light: '0.5px',
    normal: '1px',
    medium: '2px',
    'semi-bold': '3px',
    bold: '4px',
  }
  return named[String(width ?? 'normal')] ?? String(width)
}

function getTextStyle(text: Fields): Record<string, unknown> {
  return {
    'font-size': text.size === undefined ? undefined : (textSizes[String(text.size)] ?? text.size),
    color: text.color,
    'font-weight': text.weight === 'bold' ? '700' : undefined,
    'font-style': text.style === 'italic' ? 'italic' : undefined,
    'text-decoration': text.decoration,
  }
}

function renderText(text: Fields, place: Fields): Html {
  const style = joinStyle({
    ...place,
    ...getTextStyle({ size: 'md', color: '#111111', ...text }),
    'text-align': text.align,
    'align-self': text.gravity === 'center' ? 'center' : text.gravity === 'bottom' ? 'flex-end' : undefined,
    'white-space': text.wrap ? 'pre-wrap' : 'nowrap',
    overflow: text.wrap ? undefined : 'hidden',
    'text-overflow': text.wrap ? undefined : 'ellipsis',
  })
  const spans = asList(text.contents)
  if (!spans.length) return html`<div style="${style}">${text.text}</div>`
  return html`<div style="${style}">${spans.map(span => html`<span style="${joinStyle(getTextStyle(span))}">${span.text}</span>`)}</div>`
}

function renderButton(button: Fields, place: Fields, openUri: OpenUri): Html {
  const kind = String(button.style ?? 'link')
  const isLink = kind === 'link'
  const style = joinStyle({
    ...place,
    'min-height': button.height === 'sm' ? '40px' : '52px',
    [isLink ? 'color' : 'background']: button.color,
  })
  const action = button.action as Fields
  return renderAction(action, style, `flex-button ${kind}`, action.label, openUri)
}

function renderImage(image: Fields, place: Fields, openUri: OpenUri): Html {
  const size = imageSizes[String(image.size ?? 'md')] ?? String(image.size)
  const ratio = String(image.aspectRatio ?? '1:1').replace(':', '/')
  const style = joinStyle({
    ...place,
    display: 'flex',
    'justify-content': image.align ?? 'center',
    'align-items': { center: 'center', bottom: 'flex-end' }[String(image.gravity)] ?? 'flex-start',
  })
  const picture = html`<img alt="" src="${image.url}" style="${joinStyle({
    width: size,
    'max-width': '100%',
    'aspect-ratio': ratio,
    'object-fit': image.aspectMode === 'cover' ? 'cover' : 'contain',
    background: image.backgroundColor,
  })}" />`
  return image.action
    ? renderAction(image.action as Fields, style, '', picture, openUri)
    : html`<div style="${style}">${picture}</div>`
}

/** Draws a uri action as a link, and any other action as a button whose `data-action` the page's script carries out. */
export function renderAction(
  action: Fields,
  style: string,
  className: string,
  content: unknown,
  openUri: OpenUri,
): Html {
  if (action.type === 'uri') {
    const href = openUri(String(action.uri))
    return html`<a class="${className}" style="${style}" href="${href}" target="_blank" rel="noopener">${content}</a>`
  }
  return html`<button type="button" class="plain ${className}" style="${style}" data-action="${JSON.stringify(action)}">
    ${content}
  </button>`
}

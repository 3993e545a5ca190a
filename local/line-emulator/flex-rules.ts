import { type Detail, findActionFaults, isFields, isHttpsOrLoopback } from './action-rules.ts'

type Fields = Record<string, unknown>

const maxBubbleBytes = 30 * 1024
const maxCarouselBytes = 50 * 1024
const maxCarouselBubbles = 12
const maxButtonLabel = 40

const layoutProperties = 'type flex margin position offsetTop offsetBottom offsetStart offsetEnd'.split(' ')
const textProperties = 'text size color weight style decoration'.split(' ')

/** All properties that a component may have. LINE refuses others. */
const componentProperties: Record<string, string[]> = {
  box: [
    ...layoutProperties,
    ...'layout contents backgroundColor borderColor borderWidth cornerRadius width maxWidth height maxHeight'.split(
      ' ',
    ),
    ...'spacing paddingAll paddingTop paddingBottom paddingStart paddingEnd action justifyContent alignItems'.split(
      ' ',
    ),
    'background',
  ],
  text: [
    ...layoutProperties,
    ...textProperties,
    ...'contents adjustMode align gravity wrap lineSpacing maxLines action scaling'.split(' '),
  ],
  span: ['type', ...textProperties],
  button: [...layoutProperties, ...'action height style color gravity adjustMode scaling'.split(' ')],
  image: [
    ...layoutProperties,
    ...'url align gravity size aspectRatio aspectMode backgroundColor action animated'.split(' '),
  ],
  icon: [...layoutProperties.filter(name => name !== 'flex'), 'url', 'size', 'aspectRatio', 'scaling'],
  video: ['type', 'url', 'previewUrl', 'altContent', 'aspectRatio', 'action'],
  separator: ['type', 'margin', 'color'],
  filler: ['type', 'flex'],
}

const enumValues: Record<string, string[]> = {
  layout: ['horizontal', 'vertical', 'baseline'],
  weight: ['regular', 'bold'],
  align: ['start', 'end', 'center'],
  gravity: ['top', 'bottom', 'center'],
  position: ['relative', 'absolute'],
  decoration: ['none', 'underline', 'line-through'],
  aspectMode: ['cover', 'fit'],
  adjustMode: ['shrink-to-fit'],
  justifyContent: ['flex-start', 'center', 'flex-end', 'space-between', 'space-around', 'space-evenly'],
  alignItems: ['flex-start', 'center', 'flex-end'],
}

const bubbleProperties = 'type size direction header hero body footer styles action'.split(' ')
const bubbleSizes = 'nano micro deca hecto kilo mega giga'.split(' ')
const keywordSizes = 'none xxs xs sm md lg xl xxl 3xl 4xl 5xl full'.split(' ')

/** Checks the container of a Flex message. The faults' properties are JSON pointers into it. */
export function findFlexFaults(container: unknown): Detail[] {
  if (!isFields(container)) return [{ message: 'must be specified', property: '/' }]
  if (container.type === 'bubble') return findBubbleFaults(container, '')
  if (container.type !== 'carousel') return [{ message: 'invalid property', property: '/type' }]
  const bubbles = container.contents
  if (!Array.isArray(bubbles) || bubbles.length < 1 || bubbles.length > maxCarouselBubbles) {
    return [{ message: `size must be between 1 and ${maxCarouselBubbles}`, property: '/contents' }]
  }
  if (countBytes(container) > maxCarouselBytes) return [{ message: 'too large', property: '/' }]
  return bubbles.flatMap((bubble, index) =>
    isFields(bubble) && bubble.type === 'bubble'
      ? findBubbleFaults(bubble, `/contents/${index}`)
      : [{ message: 'invalid property', property: `/contents/${index}/type` }],
  )
}

function countBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function findBubbleFaults(bubble: Fields, at: string): Detail[] {
  if (countBytes(bubble) > maxBubbleBytes) return [{ message: 'too large', property: `${at}/` }]
  const faults = findUnknown(bubble, bubbleProperties, at)
  if (bubble.size !== undefined && !bubbleSizes.includes(bubble.size as string)) {
    faults.push({ message: 'invalid property', property: `${at}/size` })
  }
  if (bubble.direction !== undefined && !isOneOf(bubble.direction, 'ltr rtl')) {
    faults.push({ message: 'invalid property', property: `${at}/direction` })
  }
  faults.push(...findStyleFaults(bubble.styles, `${at}/styles`))
  if (!bubble.header && !bubble.hero && !bubble.body && !bubble.footer) {
    faults.push({ message: 'At least one block must be specified', property: `${at}/` })
  }
  for (const name of ['header', 'hero', 'body', 'footer']) {
    if (bubble[name] === undefined) continue
    const allowed = name === 'hero' ? ['box', 'image', 'video'] : ['box']
    faults.push(...findComponentFaults(bubble[name], `${at}/${name}`, allowed))
  }
  if (bubble.action !== undefined) faults.push(...findActionFaults(bubble.action, `${at}/action`, undefined, '/'))
  return faults
}

function findStyleFaults(styles: unknown, at: string): Detail[] {
  if (styles === undefined) return []
  if (!isFields(styles)) return [{ message: 'invalid property', property: at }]
  const blocks = ['header', 'hero', 'body', 'footer']
  return [
    ...findUnknown(styles, blocks, at),
    ...blocks.flatMap(name => {
      const style = styles[name]
      if (!isFields(style)) return []
      const known = ['backgroundColor', 'separator', 'separatorColor']
      return [...findUnknown(style, known, `${at}/${name}`), ...findValueFaults(style, `${at}/${name}`)]
    }),
  ]
}

function findUnknown(fields: Fields, allowed: string[], at: string): Detail[] {
  return Object.keys(fields)
    .filter(name => !allowed.includes(name))
    .map(name => ({ message: 'unknown field', property: `${at}/${name}` }))
}

/** LINE allows icons in baseline boxes only, and videos only as the hero of a bubble. */
const boxChildren = ['box', 'text', 'button', 'image', 'separator', 'filler']
const baselineChildren = ['text', 'icon', 'filler']

function findComponentFaults(component: unknown, at: string, allowed: string[]): Detail[] {
  if (!isFields(component)) return [{ message: 'must be specified', property: at }]
  const type = component.type as string
  if (!allowed.includes(type)) return [{ message: 'invalid property', property: `${at}/type` }]
  const faults = findUnknown(component, componentProperties[type]!, at)
  faults.push(...findValueFaults(component, at))
  if (component.action !== undefined && type !== 'button') {
    faults.push(...findActionFaults(component.action, `${at}/action`, undefined, '/'))
  }
  if (type === 'box') faults.push(...findBoxFaults(component, at))
  if (type === 'button') faults.push(...findActionFaults(component.action, `${at}/action`, maxButtonLabel, '/'))
  if (type === 'text') faults.push(...findTextFaults(component, at))
  if ((type === 'image' || type === 'icon') && !isHttpsOrLoopback(component.url)) {
    faults.push({ message: 'invalid uri', property: `${at}/url` })
  }
  return faults
}

function findBoxFaults(box: Fields, at: string): Detail[] {
  if (box.layout === undefined) return [{ message: 'must be specified', property: `${at}/layout` }]
  if (!Array.isArray(box.contents)) return [{ message: 'must be specified', property: `${at}/contents` }]
  const allowed = box.layout === 'baseline' ? baselineChildren : boxChildren
  return box.contents.flatMap((child, index) => findComponentFaults(child, `${at}/contents/${index}`, allowed))
}

function findTextFaults(text: Fields, at: string): Detail[] {
  if (Array.isArray(text.contents)) {
    return text.contents.flatMap((span, index) => findComponentFaults(span, `${at}/contents/${index}`, ['span']))
  }
  if (typeof text.text === 'string' && text.text !== '') return []
  return [{ message: 'must be non-empty text', property: `${at}/text` }]
}

function findValueFaults(component: Fields, at: string): Detail[] {
  return Object.entries(component)
    .filter(([name, value]) => !isValueFine(component.type as string, name, value))
    .map(([name]) => ({ message: 'invalid property', property: `${at}/${name}` }))
}

function isValueFine(type: string, name: string, value: unknown): boolean {
  if (enumValues[name]) return enumValues[name].includes(value as string)
  if (/color$/i.test(name)) return typeof value === 'string' && /^#([0-9a-f]{6}|[0-9a-f]{8})$/i.test(value)
  if (name === 'flex' || name === 'maxLines') return Number.isInteger(value) && (value as number) >= 0
  if (name === 'wrap' || name === 'scaling') return typeof value === 'boolean'
  if (name === 'style')
    return type === 'button' ? isOneOf(value, 'primary secondary link') : isOneOf(value, 'normal italic')
  if (name === 'height' && type === 'button') return isOneOf(value, 'sm md')
  if (name === 'aspectRatio') return typeof value === 'string' && /^\d+(\.\d+)?:\d+(\.\d+)?$/.test(value)
  if (/^(margin|spacing|size|padding|offset|cornerRadius)/.test(name)) return isLength(value)
  return true
}

function isOneOf(value: unknown, words: string): boolean {
  return words.split(' ').includes(value as string)
}

function isLength(value: unknown): boolean {
  return typeof value === 'string' && (keywordSizes.includes(value) || /^-?\d+(\.\d+)?(px|%)$/.test(value))
}

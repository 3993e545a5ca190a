/** LINE's message objects that the shop uses, and the parts of its cards. */

export type Action =
  | { type: 'uri'; label: string; uri: string }
  | {
      type: 'postback'
      label: string
      data: string
      /** The text that LINE posts in the name of the person who pressed. */
      displayText?: string
      /** Opens the keyboard with this text, on phones. */
      inputOption?: 'openKeyboard'
      fillInText?: string
    }

interface Text {
  type: 'text'
  text: string
  size?: 'xs' | 'sm' | 'md' | 'lg' | 'xl'
  weight?: 'bold'
  color?: string
  flex?: number
  wrap?: boolean
  align?: 'end'
  margin?: 'sm' | 'md'
}
interface Button {
  type: 'button'
  style: 'primary' | 'secondary' | 'link'
  height: 'sm'
  color?: string
  action: Action
}
interface Box {
  type: 'box'
  layout: 'vertical' | 'horizontal'
  contents: Component[]
  spacing?: 'xs' | 'sm' | 'md'
  margin?: 'md' | 'lg'
  paddingAll?: string
  backgroundColor?: string
}
type Component = Text | Button | Box | { type: 'separator'; margin: 'md' | 'lg' }

interface Bubble {
  type: 'bubble'
  size: 'mega'
  header: Box
  body?: Box
  footer?: Box
}
export type LineMessage = { type: 'text'; text: string } | { type: 'flex'; altText: string; contents: Bubble }

/** The colour of a card's head, which tells the kind of its news. */
type CardTone = 'accent' | 'ok' | 'warn' | 'bad'
const HEAD: Record<CardTone, string> = { accent: '#2347c5', ok: '#0b6e3f', warn: '#8a4b00', bad: '#b4231a' }
const INK = '#151922'
const INK_2 = '#4b5263'
const WHITE = '#ffffff'

const graphemes = new Intl.Segmenter('th', { granularity: 'grapheme' })

/**
 * Shortens a text to `most` UTF-16 units without cutting a visible letter, because LINE refuses longer and empty ones.
 * Removes invisible characters, such as those that turn the direction of writing around.
 */
export function fit(text: string, most: number): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ').trim() || '-'
  if (plain.length <= most) return plain
  let cut = ''
  for (const { segment } of graphemes.segment(plain)) {
    if (cut.length + segment.length > most - 1) break
    cut += segment
  }
  return `${cut}…`
}

const VALUE_UNITS = 200
const TITLE_UNITS = 100
const NOTE_UNITS = 600
/** The limit for the text of a notification, which is shorter. */
const ALT_UNITS = 300

export interface Fact {
  label: string
  value: string
  /** Whether this fact is emphasised. */
  isMain?: boolean
}

const factBox = ({ label, value, isMain }: Fact): Box => ({
  type: 'box',
  layout: isMain ? 'vertical' : 'horizontal',
  spacing: isMain ? 'xs' : 'md',
  contents: [
    { type: 'text', text: fit(label, VALUE_UNITS), size: 'sm', color: INK_2, wrap: true, ...(!isMain && { flex: 3 }) },
    {
      type: 'text',
      text: fit(value, VALUE_UNITS),
      color: INK,
      wrap: true,
      ...(isMain ? { size: 'xl', weight: 'bold' } : { size: 'sm', flex: 5 }),
    },
  ],
})

export interface Card {
  tone: CardTone
  title: string
  /** Above the title, small. */
  over?: string
  facts: readonly Fact[]
  note?: string
  /** The first action is the main one. */
  actions?: readonly Action[]
  /** The text for notifications and old devices. */
  alt: string
}

/** Builds a card: a coloured head, facts below each other, and buttons. */
export function card({ tone, title, over, facts, note, actions = [], alt }: Card): LineMessage {
  const head: Text[] = [
    { type: 'text', text: fit(title, TITLE_UNITS), size: 'lg', weight: 'bold', color: WHITE, wrap: true },
  ]
  if (over) head.unshift({ type: 'text', text: fit(over, TITLE_UNITS), size: 'xs', color: WHITE, wrap: true })
  const body: Component[] = facts.map(factBox)
  if (note) body.push({ type: 'text', text: fit(note, NOTE_UNITS), size: 'sm', color: INK_2, wrap: true })
  const buttons = actions.map(
    (action, index): Button => ({
      type: 'button',
      height: 'sm',
      action,
      ...(index === 0 ? { style: 'primary', color: HEAD.accent } : { style: 'link', color: HEAD.accent }),
    }),
  )
  return {
    type: 'flex',
    altText: fit(alt, ALT_UNITS),
    contents: {
      type: 'bubble',
      size: 'mega',
      header: { type: 'box', layout: 'vertical', backgroundColor: HEAD[tone], paddingAll: '16px', contents: head },
      ...(body.length > 0 && { body: { type: 'box', layout: 'vertical', spacing: 'md', contents: body } }),
      ...(buttons.length > 0 && { footer: { type: 'box', layout: 'vertical', spacing: 'sm', contents: buttons } }),
    },
  }
}

/** Builds a message of plain text. */
export const words = (text: string): LineMessage => ({ type: 'text', text: text.slice(0, 2000) })

export const link = (label: string, uri: string): Action => ({ type: 'uri', label, uri })

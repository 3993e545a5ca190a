/** LINE's message objects, as far as the shop uses them, and the pieces its cards are put together from. */

export type Action =
  | { type: 'uri'; label: string; uri: string }
  | {
      type: 'postback'
      label: string
      data: string
      /** Said in the presser's name. */
      displayText?: string
      /** Opens the keyboard with the text in it, on phones. */
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

/** What a card is about shows in the colour of its head. */
type CardTone = 'accent' | 'ok' | 'warn' | 'bad'
const HEAD: Record<CardTone, string> = { accent: '#2347c5', ok: '#0b6e3f', warn: '#8a4b00', bad: '#b4231a' }
const INK = '#151922'
const INK_2 = '#4b5263'
const WHITE = '#ffffff'

const graphemes = new Intl.Segmenter('th', { granularity: 'grapheme' })

/**
 * A text of at most `most` UTF-16 units, cut between letters as people see them; LINE refuses empty ones. Marks that
 * turn the writing around and other invisible ones go.
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
/** What a notification shows is shorter still. */
const ALT_UNITS = 300

export interface Fact {
  label: string
  value: string
  /** What the eye looks for. */
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
  /** The first is the one to press. */
  actions?: readonly Action[]
  /** What a notification and old devices show. */
  alt: string
}

/** A card: a coloured head, facts below each other, and buttons. */
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

/** Words alone. */
export const words = (text: string): LineMessage => ({ type: 'text', text: text.slice(0, 2000) })

export const link = (label: string, uri: string): Action => ({ type: 'uri', label, uri })

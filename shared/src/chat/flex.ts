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
  align?: 'end' | 'center'
  margin?: 'sm' | 'md'
}
interface Image {
  type: 'image'
  url: string
  size: string
  flex: 0
  aspectMode: 'cover'
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
  spacing?: 'xs' | 'sm' | 'md' | 'lg'
  margin?: 'md' | 'lg'
  flex?: number
  width?: string
  height?: string
  paddingAll?: string
  cornerRadius?: string
  backgroundColor?: string
  justifyContent?: 'center'
  alignItems?: 'center'
}
type Component = Text | Image | Button | Box

interface Bubble {
  type: 'bubble'
  size: 'mega'
  header?: Box
  body?: Box
  footer?: Box
}
/** Buttons below the last message of a chat; LINE shows them on phones until the next message. */
interface QuickReply {
  items: { type: 'action'; action: Action }[]
}
export type LineMessage =
  | { type: 'text'; text: string; quickReply?: QuickReply }
  | { type: 'flex'; altText: string; contents: Bubble }

/** The colours of a card's head and the mark in it, which tell the kind of its news beside the words. */
const TONE = {
  accent: { ink: '#2347c5', tint: '#eef2fd', mark: null },
  ok: { ink: '#0b6e3f', tint: '#e7f5ec', mark: '✓' },
  warn: { ink: '#8a4b00', tint: '#fdf3e3', mark: '!' },
  bad: { ink: '#b4231a', tint: '#fdecea', mark: '!' },
} as const
export type CardTone = keyof typeof TONE
const INK = '#151922'
const INK_2 = '#4b5263'
const WHITE = '#ffffff'
const CANVAS = '#f5f6f8'

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

const line = (text: string, more: Omit<Text, 'type' | 'text'>, most = VALUE_UNITS): Text => ({
  type: 'text',
  text: fit(text, most),
  wrap: true,
  ...more,
})

function factBox({ label, value, isMain }: Fact): Box {
  if (isMain)
    return {
      type: 'box',
      layout: 'vertical',
      spacing: 'xs',
      paddingAll: '14px',
      cornerRadius: '10px',
      backgroundColor: CANVAS,
      contents: [line(label, { size: 'sm', color: INK_2 }), line(value, { size: 'xl', weight: 'bold', color: INK })],
    }
  return {
    type: 'box',
    layout: 'horizontal',
    spacing: 'md',
    contents: [
      line(label, { size: 'sm', color: INK_2, flex: 4 }),
      line(value, { size: 'sm', weight: 'bold', color: INK, flex: 7, align: 'end' }),
    ],
  }
}

/** What an order is for, as a card shows it. */
export interface Goods {
  name: string
  game: string
  /** The address of the game's picture; null where LINE could not read it. */
  picture: string | null
}

const pictureOf = (url: string): Image => ({ type: 'image', url, size: '56px', flex: 0, aspectMode: 'cover' })

const goodsBox = ({ name, game, picture }: Goods): Box => ({
  type: 'box',
  layout: 'horizontal',
  spacing: 'lg',
  alignItems: 'center',
  contents: [
    ...(picture ? [pictureOf(picture)] : []),
    {
      type: 'box',
      layout: 'vertical',
      contents: [line(name, { size: 'lg', weight: 'bold', color: INK }), line(game, { size: 'sm', color: INK_2 })],
    },
  ],
})

const markBox = (mark: string, ink: string): Box => ({
  type: 'box',
  layout: 'vertical',
  flex: 0,
  width: '40px',
  height: '40px',
  cornerRadius: '20px',
  backgroundColor: ink,
  justifyContent: 'center',
  contents: [{ type: 'text', text: mark, size: 'lg', weight: 'bold', color: WHITE, align: 'center' }],
})

interface CardParts {
  tone: CardTone
  facts: readonly Fact[]
  note?: string
  /** The first action is the main one. */
  actions?: readonly Action[]
  /** The text for notifications and old devices. */
  alt: string
}

export interface Card extends CardParts {
  /** The news. */
  title: string
  /** Above the title, small. */
  over?: string
  /** Below the title, small. */
  under?: string
  goods?: Goods
}

export interface WorkCard extends CardParts {
  /** Above the goods, small and in the colour of the tone. */
  over: string
  goods: Goods
}

const buttonOf = (action: Action, index: number): Button => ({
  type: 'button',
  height: 'sm',
  action,
  ...(index === 0 ? { style: 'primary', color: TONE.accent.ink } : { style: 'link', color: TONE.accent.ink }),
})

function bubble({ facts, note, actions = [], alt }: CardParts, top: { header?: Box; first: Component[] }): LineMessage {
  const body: Component[] = [...top.first, ...facts.map(factBox)]
  if (note) body.push(line(note, { size: 'sm', color: INK_2 }, NOTE_UNITS))
  return {
    type: 'flex',
    altText: fit(alt, ALT_UNITS),
    contents: {
      type: 'bubble',
      size: 'mega',
      ...(top.header && { header: top.header }),
      ...(body.length > 0 && { body: { type: 'box', layout: 'vertical', spacing: 'md', contents: body } }),
      ...(actions.length > 0 && {
        footer: { type: 'box', layout: 'vertical', spacing: 'sm', contents: actions.map(buttonOf) },
      }),
    },
  }
}

/** Builds a card that brings news: they stand large in a tinted head, then the goods, facts and buttons. */
export function card({ tone, title, over, under, goods, ...parts }: Card): LineMessage {
  const { ink, tint, mark } = TONE[tone]
  const words: Text[] = [line(title, { size: 'lg', weight: 'bold', color: ink }, TITLE_UNITS)]
  if (over) words.unshift(line(over, { size: 'xs', color: INK_2 }, TITLE_UNITS))
  if (under) words.push(line(under, { size: 'sm', color: INK_2 }, TITLE_UNITS))
  const header: Box = {
    type: 'box',
    layout: 'horizontal',
    spacing: 'lg',
    paddingAll: '16px',
    alignItems: 'center',
    backgroundColor: tint,
    contents: [...(mark ? [markBox(mark, ink)] : []), { type: 'box', layout: 'vertical', contents: words }],
  }
  return bubble({ tone, ...parts }, { header, first: goods ? [goodsBox(goods)] : [] })
}

/** Builds a card of work to be done: what it is stands on top, beside its picture, and no news above it. */
export function workCard({ tone, over, goods, ...parts }: WorkCard): LineMessage {
  const { name, game, picture } = goods
  const words: Box = {
    type: 'box',
    layout: 'vertical',
    spacing: 'xs',
    contents: [
      line(over, { size: 'sm', weight: 'bold', color: TONE[tone].ink }, TITLE_UNITS),
      line(name, { size: 'xl', weight: 'bold', color: INK }),
      line(game, { size: 'sm', color: INK_2 }),
    ],
  }
  const top: Box = {
    type: 'box',
    layout: 'horizontal',
    spacing: 'lg',
    contents: [words, ...(picture ? [pictureOf(picture)] : [])],
  }
  return bubble({ tone, ...parts }, { first: [top] })
}

/** Builds a message of plain text, with buttons below it. */
export const words = (text: string, actions: readonly Action[] = []): LineMessage => ({
  type: 'text',
  text: text.slice(0, 2000),
  ...(actions.length > 0 && { quickReply: { items: actions.map(action => ({ type: 'action', action })) } }),
})

export const link = (label: string, uri: string): Action => ({ type: 'uri', label, uri })

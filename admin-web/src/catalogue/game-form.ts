import { PLAYER_FIELD_NAMES } from '@shop/shared/catalogue/catalogue.ts'
import { playerFormat } from '@shop/shared/catalogue/endpoints.ts'
import type { ManagedGame, saveGame } from '@shop/shared/catalogue/manage-endpoints.ts'
import { gameCheckText } from '@shop/shared/catalogue/player-check.ts'
import type { PlayerFormat } from '@shop/shared/catalogue/player-format.ts'
import type { EndpointInput } from '@shop/shared/endpoint.ts'
import { createElement } from 'react'
import type { Difference } from '../ui/conflict.tsx'

/** One of a player's five inputs while staff edit it. */
interface InputValues {
  isOn: boolean
  label: string
  kind: 'any' | PlayerFormat['kind']
  min: number
  max: number
  choices: string[]
}

type Words = Pick<ManagedGame, 'code' | 'name' | 'desc' | 'searchWords' | 'playerHint'>
type Choices = Pick<ManagedGame, 'regions' | 'languages' | 'platforms' | 'playerChecks' | 'isActive'>

/** The form's fields. A choice that was cleared is undefined. */
export interface GameValues extends Words, Choices, Partial<Pick<ManagedGame, 'qmsGameId'>> {
  /** null while it is being uploaded. */
  picture: string | null
  playerHintPicture: string | null
  inputs: InputValues[]
  minutesFrom: number
  minutesTo: number
}

/** Returns what is typed into the field of the code as a code may look. */
export const asCode = (typed: string): string => typed.toLowerCase().replaceAll(/\s+/g, '-')

export const FORMAT_LABELS: Record<InputValues['kind'], string> = {
  any: 'ข้อความใดก็ได้',
  digits: 'ตัวเลข',
  text: 'ข้อความตามความยาว',
  choices: 'เลือกจากรายการ',
}

function inputOf(isOn: boolean, label: string, format: PlayerFormat | null): InputValues {
  const empty = {
    isOn: isOn && label !== '',
    label,
    kind: format?.kind ?? ('any' as const),
    min: 1,
    max: 20,
    choices: [],
  }
  return { ...empty, ...format }
}

/** What the length of an input counts. */
export const LENGTH_UNITS = { digits: 'หลัก', text: 'ตัวอักษร' } as const

/** A new game asks for a player id. */
const NEW_GAME = {
  code: '',
  name: '',
  desc: '',
  picture: '',
  searchWords: [],
  regions: [],
  languages: [],
  platforms: [],
  fieldsOn: [true],
  fieldLabels: ['Player ID'],
  fieldFormats: [],
  playerHint: '',
  playerHintPicture: '',
  playerChecks: [],
  usualMinutes: { from: 5, to: 15 },
  isActive: true,
} satisfies Partial<ManagedGame>

/** Returns a game's form values, beside fields of the game that the form does not have and so never sends. */
export function valuesOf(game: ManagedGame | null): GameValues {
  const { fieldsOn, fieldLabels, fieldFormats, usualMinutes, ...same } = game ?? NEW_GAME
  return {
    ...same,
    inputs: PLAYER_FIELD_NAMES.map((_, index) =>
      inputOf(fieldsOn[index] ?? false, fieldLabels[index] ?? '', fieldFormats[index] ?? null),
    ),
    minutesFrom: usualMinutes.from,
    minutesTo: usualMinutes.to,
  }
}

/** Returns the format of an input; one that is off may be unfinished, and then it has none. */
function formatOf({ isOn, kind, min, max, choices }: InputValues): PlayerFormat | null {
  if (kind === 'any') return null
  const format = kind === 'choices' ? { kind, choices } : { kind, min, max }
  return isOn || playerFormat.safeParse(format).success ? format : null
}

/** Returns a filled-in form in the API's form; `over` is the game it is based on. */
export function bodyOf(values: GameValues, over: ManagedGame | null): EndpointInput<typeof saveGame>['body'] {
  const { inputs, minutesFrom, minutesTo, ...same } = values
  return {
    ...same,
    id: over?.id,
    version: over?.version,
    qmsGameId: same.qmsGameId ?? null,
    picture: same.picture ?? '',
    playerHintPicture: same.playerHintPicture ?? '',
    fieldsOn: inputs.map(({ isOn }) => isOn),
    fieldLabels: inputs.map(({ label }) => label.trim()),
    fieldFormats: inputs.map(formatOf),
    usualMinutes: { from: minutesFrom, to: minutesTo },
  }
}

/** Describes an input in one line. */
function inputText(input: InputValues | undefined): string {
  if (!input?.isOn) return 'ปิด'
  return [input.label, FORMAT_LABELS[input.kind], formatText(formatOf(input))].filter(Boolean).join(' · ')
}

function formatText(format: PlayerFormat | null): string {
  if (!format) return ''
  if (format.kind === 'choices') return list(format.choices)
  return `${format.min}–${format.max} ${LENGTH_UNITS[format.kind]}`
}

const list = (words: readonly string[]) => words.join(', ')

const PICTURES = ['โลโก้', 'รูปคำแนะนำ']

const FIELDS: readonly [string, (values: GameValues) => string][] = [
  ['รหัสเกม', values => values.code],
  ['ชื่อเกม', values => values.name],
  ['คำอธิบาย', values => values.desc],
  ['เกมใน QMS', values => values.qmsGameId ?? ''],
  ['โลโก้', values => values.picture ?? ''],
  ['คำค้นหา', values => list(values.searchWords)],
  ['ภูมิภาค', values => list(values.regions)],
  ['ภาษา', values => list(values.languages)],
  ['แพลตฟอร์ม', values => list(values.platforms)],
  ...PLAYER_FIELD_NAMES.map((_, index): [string, (values: GameValues) => string] => [
    `ช่องที่ ${index + 1}`,
    values => inputText(values.inputs[index]),
  ]),
  ['คำแนะนำ', values => values.playerHint],
  ['รูปคำแนะนำ', values => values.playerHintPicture ?? ''],
  ['ตรวจชื่อผู้เล่น', values => values.playerChecks.map(gameCheckText).join(' → ') || 'ไม่ตรวจ'],
  ['เวลาเติมปกติ', values => `${values.minutesFrom}–${values.minutesTo} นาที`],
  ['ใช้งาน', values => (values.isActive ? 'ใช้งาน' : 'ไม่ใช้งาน')],
]

/** Compares two versions of a game, field by field. */
export const compareGames = (mine: GameValues, theirs: GameValues): Difference[] =>
  FIELDS.map(([label, show]) => {
    const sides = { theirs: show(theirs), mine: show(mine) }
    if (!PICTURES.includes(label) || sides.theirs === sides.mine) return { label, ...sides }
    return { label, theirs: pictureOf(label, sides.theirs), mine: pictureOf(label, sides.mine) }
  })

const pictureOf = (label: string, src: string) => src && createElement('img', { src, alt: label })

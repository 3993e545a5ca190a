import { ACCOUNT_STATUS_LABELS, ROLE_LABELS, SIGN_IN_PROVIDER, showPhone } from '../account/account.ts'
import type { saveTier, updateAgentUser } from '../agent/endpoints.ts'
import { bankOf } from '../catalogue/banks.ts'
import { DELIVERS, sourceLabel } from '../catalogue/delivers.ts'
import type {
  saveBanner,
  saveGame,
  savePackage,
  savePrices,
  saveReceivingAccount,
} from '../catalogue/manage-endpoints.ts'
import type { PriceCode } from '../catalogue/payment-method.ts'
import { type GameCheck, gameCheckText } from '../catalogue/player-check.ts'
import type { EndpointShape, ParsedInput } from '../endpoint.ts'
import { formatBahtShort } from '../money.ts'
import { ORDER_STATUS } from '../order/status.ts'
import { gatewayLabel } from '../provider-names.ts'
import { OPTION } from '../settings/option.ts'
import { LINE_STATE, type LineStep } from '../statement/statement.ts'
import type { saveSupplier } from '../supplier/endpoints.ts'
import { REJECTION } from '../supplier/supplier.ts'
import { isKeyOf, lookUp } from '../table.ts'
import { formatDateTimeSeconds, formatDay } from '../time.ts'
import { TOP_UP_STATUS_LABELS } from '../wallet/top-up.ts'
import type { AuditEntry } from './endpoints.ts'
import { AUDIT_FIELD, type AuditReference, auditFieldOf } from './field.ts'

type Body<E extends EndpointShape> = keyof ParsedInput<E>['body']
/** The fields that the back office saves under the names of its calls. */
type Saved = Exclude<
  | Body<typeof saveBanner>
  | Body<typeof saveGame>
  | Body<typeof savePackage>
  | Body<typeof savePrices>
  | Body<typeof saveReceivingAccount>
  | Body<typeof saveSupplier>
  | Body<typeof saveTier>
  | Extract<Body<typeof updateAgentUser>, `bank${string}`>
  | PriceCode,
  'id' | 'isActived' | 'packageId' | 'takesOldCode' | 'prices'
>
/** Makes sure that every such field has a name for staff. */
AUDIT_FIELD satisfies Record<Saved, unknown>

/** The names of things that entries name by id: `noun:id` -> name. */
export type Names = Readonly<Record<string, string>>

const STEP: Record<LineStep, string> = {
  match: 'จับคู่',
  bookPayout: 'บันทึกเป็นยอดโอนจากผู้ให้บริการรับชำระ',
  creditWallet: 'เข้ากระเป๋าเงิน',
  oweRefund: 'คืนเงิน',
  ignore: 'ไม่เกี่ยวข้อง',
  undo: 'ยกเลิกการจับคู่',
}

const labels = (table: Record<string, { label: string }>) =>
  Object.fromEntries(Object.entries(table).map(([code, { label }]) => [code, label]))

/** The words for every code that an entry may hold. */
const CODE: Readonly<Record<string, string>> = {
  ...labels(LINE_STATE),
  ...Object.fromEntries(Object.entries(REJECTION).map(([code, { text }]) => [code, text])),
  ...STEP,
  ...TOP_UP_STATUS_LABELS,
  ...labels(ORDER_STATUS),
  ...labels(DELIVERS),
  ...ACCOUNT_STATUS_LABELS,
  ...ROLE_LABELS,
  digits: 'ตัวเลข',
  text: 'ข้อความ',
  choices: 'ตัวเลือก',
}

const PROVIDER = Object.fromEntries(Object.entries(SIGN_IN_PROVIDER).map(([way, { name }]) => [way, name]))

/** Only the terms are longer, and those can be read in the settings. */
const MOST_CHARACTERS = 300

/** Lists filters, payment methods and sources of goods by their names; anything else unchanged. */
const listed = (items: readonly unknown[]) =>
  items
    .map(item => {
      const { name, code, supplier, sku } = (item ?? {}) as Partial<Record<string, unknown>>
      if (typeof supplier === 'string') return [sourceLabel(supplier), sku].filter(Boolean).join(' ')
      return name && code ? `${name} (${code})` : typeof item === 'string' ? item : JSON.stringify(item)
    })
    .join(', ')

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const DAY = /^\d{4}-\d\d-\d\d$/

function textOf(value: string): string {
  if (INSTANT.test(value)) return formatDateTimeSeconds(value)
  return DAY.test(value) ? formatDay(value) : value
}

/** Returns a field's value in words; null for nothing. */
export function toldValue(field: string, value: unknown, names: Names): string | null {
  if (value === undefined || value === null || value === '') return null
  const [, told] = auditFieldOf(field.split('.').at(-1)!) ?? []
  const whole = String(value)
  switch (told) {
    case undefined:
      break
    case 'code':
      return lookUp(CODE, whole) ?? whole
    case 'gateway':
      return gatewayLabel(whole)
    case 'bank':
      return bankOf(whole).niceName
    case 'phone':
      return showPhone(whole)
    case 'playerChecks':
      return (value as GameCheck[]).map(gameCheckText).join(' → ') || null
    case 'provider':
      return [value]
        .flat()
        .map(way => lookUp(PROVIDER, String(way)) ?? String(way))
        .join(', ')
    default:
      return names[`${told satisfies AuditReference}:${whole}`] ?? whole
  }
  if (typeof value === 'boolean' || whole === 'true' || whole === 'false') return whole === 'true' ? 'ใช่' : 'ไม่'
  if (typeof value === 'number' && field.endsWith('Satang')) return `${formatBahtShort(value)} บาท`
  const text = typeof value === 'string' ? textOf(value) : Array.isArray(value) ? listed(value) : JSON.stringify(value)
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}

const TAGS = { region: 'ภูมิภาค', language: 'ภาษา', platform: 'แพลตฟอร์ม' }

/**
 * Returns the name of what an entry is about: a package's, a person's, an order's number; '' when only one such thing
 * exists.
 */
export function toldSubject({ subject, subjectName }: Pick<AuditEntry, 'subject' | 'subjectName'>): string {
  const [noun, id = ''] = [subject.slice(0, subject.indexOf(':')), subject.slice(subject.indexOf(':') + 1)]
  if (subjectName) return subjectName
  if (noun === 'option') return isKeyOf(OPTION, id) ? OPTION[id].label : id
  if (noun === 'gameTag') return lookUp(TAGS, id) ?? id
  return id === 'all' || id === 'inForce' || UUID.test(id) ? '' : id
}

const PLAYER_FIELD = /^field([1-5])$/

/** Returns a field in words: "bank.priceSatang" is "โอนเงินธนาคาร · ราคา". */
export const toldField = (field: string, names: Names): string =>
  field
    .split('.')
    .map(name => auditFieldOf(name)?.[0] ?? (lookUp(names, name) ?? name).replace(PLAYER_FIELD, 'ช่องที่ $1'))
    .join(' · ')

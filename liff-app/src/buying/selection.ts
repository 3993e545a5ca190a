import { PLAYER_FIELD, type PlayerField, type PlayerFieldName } from '@shop/shared/catalogue/catalogue.ts'
import type { PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { playerFormatProblem } from '@shop/shared/catalogue/player-format.ts'
import { sellingPriceOf } from '@shop/shared/catalogue/pricing.ts'
import { surchargeOf } from '@shop/shared/gateway/gateway.ts'
import type { Satang } from '@shop/shared/money.ts'
import { type Draft, isPlayerId } from '../draft.ts'
import type { OfferedMethod } from '../settings/limits.ts'
import { methodFor } from '../settings/method-choice.ts'
import { payingOf } from '../settings/payment-methods.tsx'
import type { OfferedPackage } from './use-offer.ts'

/** What is missing before the purchase can go on: the text of the button, and the element to which a tap on it leads. */
interface Missing {
  label: string
  target: string
}

interface Rules {
  fields: PlayerField[]
  /** The game must have been asked for the player. */
  mustVerify: boolean
  hasUnpaidOrder: boolean
  /** The packages that can be chosen now; a remembered one that is no longer offered does not count. */
  packages: Pick<OfferedPackage, 'id' | 'payment'>[]
  receivingAccountIds: number[]
  /** Shop credit pays all of it, so nothing of another method is asked for. */
  isPaidByCredit: boolean
}

export const fieldValueOf = (draft: Draft, name: PlayerFieldName): string => draft[PLAYER_FIELD[name]] ?? ''

/** The change of one input. What was confirmed is another player then: the same id may be somebody else's on another server. */
export const fieldChangeOf = (name: PlayerFieldName, value: string): Partial<Draft> => ({
  playerName: null,
  playerCheck: undefined,
  [PLAYER_FIELD[name]]: value,
})

/** Whether the game knows the player. */
export const isConfirmed = ({ playerName, playerCheck }: Draft): boolean =>
  Boolean(playerName) || playerCheck === 'nameless'

/** The inputs that a selection needs: codes are sold to no player. */
export const neededFields = (
  fields: readonly PlayerField[],
  packages: readonly Pick<OfferedPackage, 'delivers'>[],
  chosen: Pick<OfferedPackage, 'delivers'> | undefined,
): readonly PlayerField[] => {
  const isCode = chosen ? chosen.delivers === 'code' : packages.every(({ delivers }) => delivers === 'code')
  return isCode ? [] : fields
}

export const fieldTargetOf = (name: string): string => `player-${name}`

/** What is to be done with an empty input: something is typed into it, or chosen from its list. */
const askingVerbOf = (format: PlayerField['format']) => (format?.kind === 'choices' ? 'เลือก' : 'กรอก')

/** Why the server would refuse an input, in its text; null when it would accept it. */
export function fieldProblemOf(draft: Draft, { name, label, format }: PlayerField): string | null {
  const value = fieldValueOf(draft, name).trim()
  if (!value) return `กรุณา${askingVerbOf(format)} ${label}`
  return playerFormatProblem(format, value)
}

/** The verb for what is still to be done about an input; null when nothing is. */
function fieldToDoOf(draft: Draft, field: PlayerField, mustVerify: boolean): string | null {
  if (!fieldValueOf(draft, field.name).trim()) return askingVerbOf(field.format)
  if (fieldProblemOf(draft, field)) return 'แก้ไข'
  const isOpen = isPlayerId(field.name) && mustVerify && !isConfirmed(draft) && draft.playerCheck !== 'away'
  return isOpen ? 'ตรวจ' : null
}

/** The first thing missing, in the order of the page; null when the purchase can go on. */
export function findMissing(draft: Draft, rules: Rules): Missing | null {
  for (const field of rules.fields) {
    const toDo = fieldToDoOf(draft, field, rules.mustVerify)
    if (toDo) return { label: `${toDo} ${field.label} ก่อน`, target: fieldTargetOf(field.name) }
  }
  if (!findChosen(rules.packages, draft)) return { label: 'กรุณาเลือกแพ็กเกจ', target: 'package' }
  const hasBank = draft.bank !== null && rules.receivingAccountIds.includes(draft.bank)
  const asksAccount = draft.paymentMethod && payingOf(draft.paymentMethod).asksAccount
  if (asksAccount && !hasBank && !rules.isPaidByCredit) return { label: 'เลือกธนาคารก่อน', target: 'bank' }
  if (rules.hasUnpaidOrder) return { label: 'ชำระรายการเดิมก่อน', target: 'pending-orders' }
  return null
}

/** The package that is selected, if it is among these and can be paid for in the selected way. */
export const findChosen = <P extends Pick<OfferedPackage, 'id' | 'payment'>>(
  packages: P[],
  draft: Draft,
): P | undefined => packages.find(({ id, payment }) => id === draft.package && payment === draft.paymentMethod)

type Priced = Pick<OfferedPackage, 'priceSatang' | 'discountSatang'>

/** How many pieces are bought. */
export function quantityOf({ paymentMethod, quantity = 1 }: Draft): number {
  return paymentMethod && payingOf(paymentMethod).asksQuantity ? quantity : 1
}

/** The price of all pieces, without the satang that are added to a transfer. */
export const totalSatangOf = (draft: Draft, chosen: Priced): Satang => sellingPriceOf(chosen) * quantityOf(draft)

/** What the payment method costs beside the price. @param creditSatang what shop credit pays of that */
export function surchargeSatangOf(
  draft: Draft,
  chosen: Priced,
  methods: OfferedMethod[],
  creditSatang: Satang,
): Satang {
  const terms = methods.find(({ code }) => code === draft.paymentMethod)?.terms
  const dueSatang = totalSatangOf(draft, chosen) - creditSatang
  return terms && dueSatang > 0 ? surchargeOf(terms, dueSatang) : 0
}

/** "325 UC", "325 UC × 3" */
export function nameGoods(packageName: string, draft: Draft): string {
  const quantity = quantityOf(draft)
  return quantity > 1 ? `${packageName} × ${quantity}` : packageName
}

interface Offered {
  /** With the reason for which one can't be chosen now, if there is one. */
  methods: { code: PaymentCode; reason?: string | undefined }[]
  accounts: { id: number }[]
  /** By what this person bought last. */
  lastMethod: PaymentCode | null
}

/** Adds what need not be asked: the way to pay of the last purchase or the first one, and the first account. */
export function withObviousChoices(draft: Draft, { methods, accounts, lastMethod }: Offered): Draft {
  const hasAccount = accounts.some(({ id }) => id === draft.bank)
  return {
    ...draft,
    paymentMethod: methodFor(methods, [draft.paymentMethod, lastMethod])?.code ?? null,
    bank: hasAccount ? draft.bank : (accounts[0]?.id ?? null),
  }
}

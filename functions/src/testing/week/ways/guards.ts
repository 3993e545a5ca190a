import { saveTier } from '@shop/shared/agent/endpoints.ts'
import { undoChange } from '@shop/shared/audit/endpoints.ts'
import { saveReceivingAccount } from '@shop/shared/catalogue/manage-endpoints.ts'
import { unbindChatRoom } from '@shop/shared/chat/endpoints.ts'
import { confirmMoney } from '@shop/shared/order/proof-endpoints.ts'
import { saveOption } from '@shop/shared/settings/endpoints.ts'
import { giveSecondWord, refuseSecondWord } from '@shop/shared/value/endpoints.ts'
import { TIER } from '../../wallet.ts'
import { TOO_MANY } from '../shop.ts'
import type { Thief } from '../thief.ts'
import type { Way } from '../way.ts'

const RAISED = { optionName: 'TWO_PERSON_APPROVAL_AMOUNT', optionValue: '900000', fromValue: '20000' } as const

const tierBody = (maxAmountSatang: number) => ({
  id: TIER.id,
  name: 'Gold',
  description: '',
  maxAmountSatang,
  minTopUpSatang: TIER.minTopUpSatang,
  maxAmountPerOrderSatang: 100_000_000,
  maxItemPerOrder: 10,
  isActived: true,
})

/** The rooms in LINE as the shop's people want them. */
async function bindRooms({ it }: Thief, rooms: readonly unknown[]): Promise<void> {
  await it.db.query({
    text: `INSERT INTO chat_room SELECT * FROM jsonb_populate_recordset(null::chat_room, $1::jsonb) ON CONFLICT DO NOTHING`,
    values: [JSON.stringify(rooms)],
  })
}

export const guardWays = {
  optionsLoosened: {
    tries: 'the two-person amount raised, and raised by taking back that it was lowered',
    takes: 'goods',
    control: 'to loosen a guard takes a second admin; every admin is told',
    test: ['value/second-word.test.ts', 'a manager cannot raise the amount that holds for them'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      await thief.do(saveOption, { body: RAISED })
      await thief.do(saveOption, { body: { ...RAISED, optionValue: '19000' } })
      const [entry] = await thief.it.db.query<{ id: string }>({
        text: `SELECT id FROM audit_entry WHERE subject = 'option:TWO_PERSON_APPROVAL_AMOUNT' ORDER BY at DESC, id DESC LIMIT 1`,
      })
      if (entry) await thief.do(undoChange, { body: { auditId: entry.id } })
      const order = await thief.order()
      await thief.set(order, 'paid')
      await thief.do(confirmMoney, { body: { orderNo: order.orderNo } })
      // Honest people put it back for the next one.
      await thief.it.db.query({ text: `UPDATE option SET value = '20000' WHERE name = 'TWO_PERSON_APPROVAL_AMOUNT'` })
    },
  },
  tierLimitsRaised: {
    tries: 'a tier’s limits raised, and back',
    takes: 'nothing by itself',
    control: 'limits are admins’; every admin is told',
    test: ['value/guards.test.ts', "a tier's limits are admins'"],
    refusal: 'FORBIDDEN',
    async run(thief) {
      await thief.do(saveTier, { body: tierBody(1_000_000_000) })
      await thief.do(saveTier, { body: tierBody(100_000_000) })
    },
  },
  receivingAccountChanged: {
    tries: 'the account that customers pay to exchanged for one’s own, and a new one added',
    takes: 'money sent',
    control: 'it takes a second admin; every admin is told',
    test: ['value/guards.test.ts', "where customers' money goes takes a second admin"],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      const own = {
        code: '004',
        accountName: 'บจก. คราม เติมเกม',
        accountNameEn: null,
        branch: '',
        promptPayId: '0899999999',
      }
      const [shops] = await thief.it.db.query<{ version: number }>({
        text: 'SELECT version FROM receiving_account WHERE id = 1',
      })
      const to = { ...own, accountNo: '9990001112', isActive: true }
      await thief.do(saveReceivingAccount, { body: { ...to, id: 1, version: shops!.version } })
      await thief.do(saveReceivingAccount, { body: to })
      const [stands] = await thief.it.db.query<{ n: number }>({
        text: `SELECT count(*)::int AS n FROM receiving_account WHERE account_no = '9990001112'`,
      })
      if (stands!.n > 0) throw new Error(`${thief.uid} has customers pay to their own account`)
    },
  },
  ownQuestionAnswered: {
    tries: 'a question for a second person answered by who asked, and an honest one’s question refused',
    takes: 'goods',
    control: 'nobody answers their own question',
    test: ['value/second-word.test.ts', 'nobody gives it to themself'],
    refusal: 'SECOND_WORD_NOT_YOURS',
    async run(thief) {
      for (let placed = 0; placed < TOO_MANY; placed++) await thief.set(await thief.order(), 'paid')
      const words = await thief.it.db.query<{ id: string }>({
        text: `SELECT id FROM second_word WHERE asked_by = $1 AND state = 'waiting'`,
        values: [thief.uid],
      })
      for (const { id } of words) {
        await thief.do(giveSecondWord, { params: { id } })
        await thief.do(refuseSecondWord, { params: { id }, body: { reason: 'ไม่ใช้แล้ว' } })
      }
    },
  },
  roomsSilenced: {
    tries:
      'the managers’ room in LINE unbound, or its hours and digest set so that nothing is told, and then more moved than one may',
    takes: 'goods',
    control:
      'without a room every manager and admin is told alone; what takes a second person waits for one, told or not',
    test: ['chat/telling.test.ts', 'are told of a request for money on a wallet, each for themselves'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      const { it } = thief
      const rooms = await it.db.query({ text: 'SELECT * FROM chat_room' })
      const set = (optionName: 'STAFF_HOURS' | 'STAFF_DIGEST_MINUTES', optionValue: string, fromValue: string) =>
        thief.do(saveOption, { body: { optionName, optionValue, fromValue } })
      await set('STAFF_HOURS', '03:00-03:01', '')
      await set('STAFF_DIGEST_MINUTES', '240', '0')
      await thief.do(unbindChatRoom, { params: { room: 'managers' } })
      for (let placed = 0; placed < TOO_MANY; placed++) await thief.set(await thief.order(), 'paid')
      await it.pass(10)
      await set('STAFF_HOURS', '', '03:00-03:01')
      await set('STAFF_DIGEST_MINUTES', '0', '240')
      await bindRooms(thief, rooms)
    },
  },
} satisfies Record<string, Way>

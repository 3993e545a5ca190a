import { setUserRole } from '@shop/shared/account/endpoints.ts'
import { trustStatementLine } from '@shop/shared/statement/endpoints.ts'
import {
  confirmStatementFile,
  createFeedKey,
  feedStatementLines,
  matchStatementLines,
  revokeFeedKey,
} from '@shop/shared/statement/import-endpoints.ts'
import { settleDisputedLine, takeBackLines } from '@shop/shared/statement/take-back-endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { addAccount, onceKey } from '../../shop.ts'
import { DEAR, TOO_MANY } from '../shop.ts'
import type { PlacedOrder, Thief } from '../thief.ts'
import type { Way } from '../way.ts'

const BAHT = 100
const MANY = [...Array(TOO_MANY).keys()]
/** An account number that no other thief uses. */
const accountNoOf = (thief: Thief, kind: number) => `${kind}${thief.uid.replace(/\D/g, '')}000000`.slice(0, 10)

/** A receiving account on which only this thief's doings and honest money happen; told by the bank once a day. */
async function accountOf(thief: Thief, kind: number): Promise<{ id: number; no: string }> {
  const no = accountNoOf(thief, kind)
  const known = thief.kept.get(no)
  if (known) return { id: Number(known), no }
  const id = await thief.it.addReceivingAccount(no)
  thief.kept.set(no, String(id))
  await thief.it.bankTells(id, 500 * BAHT)
  return { id, no }
}

const payments = (thief: Thief, placed: readonly PlacedOrder[]) =>
  placed.map(({ amountSatang }) => ({ at: addSeconds(thief.it.clock.now, 60), amountSatang }))

async function ordersOn(thief: Thief, receivingAccountId: number): Promise<PlacedOrder[]> {
  const placed: PlacedOrder[] = []
  for (const _ of MANY) placed.push(await thief.order({ receivingAccountId }))
  return placed
}

export const statementWays = {
  fileThatChains: {
    tries: 'a bank file made up of payments of puppets’ orders, whose balances follow the last known one',
    takes: 'goods',
    control: 'what a file says counts to the day of who gave it, and above waits for a second person',
    test: ['statement/file-word.test.ts', 'is weighed with all that its giver moved on that day'],
    refusal: 'SECOND_WORD_NOT_YOURS',
    async run(thief) {
      const account = await accountOf(thief, 1)
      const placed = await ordersOn(thief, account.id)
      thief.it.clock.advance(120)
      for (const part of [placed.slice(0, -1), placed.slice(-1)]) {
        const balance = Number(thief.kept.get('balance') ?? thief.it.balanceOf(account.id))
        const inSatang = part.reduce((sum, { amountSatang }) => sum + amountSatang, 0)
        const fileId = await thief.giveFile(account, payments(thief, part), balance)
        if (!fileId) return
        thief.kept.set('balance', String(balance + inSatang))
        await thief.do(matchStatementLines, { body: { receivingAccountId: account.id } })
        await thief.do(confirmStatementFile, { params: { fileId }, body: { inSatang } })
      }
    },
  },
  fileWithWrongBalances: {
    tries: 'a made-up file whose balances do not follow, believed by who gave it and by an account they made staff',
    takes: 'goods',
    control: 'a line whose balance does not follow pays nothing until another person believes it',
    test: ['statement/chain.test.ts', 'a person who did not bring it can believe it'],
    refusal: 'LINE_OWN_SOURCE',
    async run(thief) {
      const { it, uid, day } = thief
      const account = await accountOf(thief, 2)
      const friend = `${uid}-colleague`
      if (day === 0) {
        await addAccount(it, friend, 'customer')
        await thief.do(setUserRole, { body: { uid: friend, role: 'manager', isActived: true } })
      }
      const placed = await ordersOn(thief, account.id)
      it.clock.advance(120)
      await thief.giveFile(account, payments(thief, placed), 7_000_000 * BAHT)
      const lines = await it.db.query<{ id: string; version: number }>({
        text: `SELECT id, version FROM statement_line WHERE receiving_account_id = $1 AND chain = 'gap' AND state = 'unmatched' ORDER BY no DESC LIMIT 3`,
        values: [account.id],
      })
      for (const { id, version } of lines) {
        const believe = { params: { id }, body: { version, reason: 'เห็นในแอปธนาคาร' }, idempotencyKey: onceKey() }
        await thief.do(trustStatementLine, believe)
        await thief.handOf(it.as(friend)).do(trustStatementLine, { ...believe, idempotencyKey: onceKey() })
      }
    },
  },
  fileEdited: {
    tries: 'the bank’s own file with its amounts edited to what puppets’ orders wait for, and onto friends’ wallets',
    takes: 'goods',
    control: 'one’s own file is one’s own word: onto a wallet it always takes another person',
    test: ['value/money-moves.test.ts', 'a line of a file that somebody gave is their own word'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      const { it } = thief
      const account = await accountOf(thief, 3)
      const order = await thief.order({ receivingAccountId: account.id })
      await it.bankTells(account.id, 100 * BAHT)
      it.clock.advance(120)
      const more = { at: addSeconds(it.clock.now, -30), amountSatang: DEAR.priceSatang }
      await thief.giveFile(account, [...payments(thief, [order]), more], it.balanceOf(account.id) - 100 * BAHT)
      const wallet = await thief.wallet()
      const [line] = await it.db.query<{ id: string }>({
        text: `SELECT l.id FROM statement_line l JOIN statement_file f ON f.id = l.file_id
          WHERE f.given_by = $1 AND l.amount_satang = $2 AND l.state = 'unmatched' ORDER BY l.no DESC LIMIT 1`,
        values: [thief.uid, more.amountSatang],
      })
      if (line) await thief.decide(line.id, { step: 'creditWallet', walletId: wallet.walletId })
      await thief.spend(wallet.hand, '1234')
    },
  },
  feedKeyMade: {
    tries: 'a feed key made, and used to tell of payments of puppets’ orders; a made-up key used as well',
    takes: 'goods',
    control: 'a key takes a second admin',
    test: ['value/guards.test.ts', 'a feed key takes a second admin'],
    refusal: 'FEED_KEY_INVALID',
    async run(thief) {
      const { it } = thief
      const account = await accountOf(thief, 4)
      const asked = { body: { name: `เครื่องของ ${thief.uid}`, receivingAccountId: account.id, days: 30 } }
      const made = await thief.do(createFeedKey, asked)
      const placed = await ordersOn(thief, account.id)
      const lines = placed.map(({ amountSatang }) => ({ at: it.clock.now.toISOString(), amountSatang }))
      const machine = it.as(null, { 'x-feed-key': made?.key ?? 'invented' })
      await thief.handOf(machine).do(feedStatementLines, { body: { accountNo: account.no, lines } })
    },
  },
  linesTakenBack: {
    tries: 'the true feed’s lines taken back after a puppet’s order of them was delivered, and settled; the key ended',
    takes: 'goods',
    control: 'what was delivered stays with its line and is listed; nothing is owed for it',
    test: ['statement/take-back.test.ts', 'what a leaked key brought is undone where it can be'],
    refusal: null,
    async run(thief) {
      const { it } = thief
      const order = await thief.order()
      await thief.pay(order)
      await it.pass(1)
      const since = addSeconds(it.clock.now, -120).toISOString()
      await thief.do(takeBackLines, { params: { id: it.keyId }, body: { since, reason: 'คีย์รั่ว' } })
      const [line] = await it.db.query<{ id: string }>({
        text: 'SELECT id FROM statement_line WHERE order_id = $1',
        values: [order.id],
      })
      if (line) await thief.do(settleDisputedLine, { params: line, body: { reason: 'ดูแล้ว' } })
      await thief.set(order, 'refunded')
      await thief.do(revokeFeedKey, { params: { id: it.keyId } })
    },
  },
} satisfies Record<string, Way>

import type { Way } from './way.ts'
import { accountWays } from './ways/accounts.ts'
import { catalogueWays } from './ways/catalogue.ts'
import { guardWays } from './ways/guards.ts'
import { moneyWays } from './ways/money.ts'
import { openingWays } from './ways/openings.ts'
import { orderWays } from './ways/orders.ts'
import { statementWays } from './ways/statement.ts'
import { voucherWays } from './ways/vouchers.ts'

/** The ways that bring something within the day's sum. */
const COUNTED = [
  orderWays.redoToOther,
  moneyWays.topUpByWord,
  moneyWays.strangersLineCredited,
  moneyWays.strangersLineToOrder,
  moneyWays.strangersMoneySent,
  statementWays.fileThatChains,
  accountWays.agentReset,
  voucherWays.codeSeen,
]

const together = {
  oneAfterTheOther: {
    tries: 'all of the above that bring something, by one person on one day',
    takes: 'goods',
    control: 'the day’s sum is of the person, over all kinds of moves',
    test: ['value/money-moves.test.ts', 'in parallel no more than the sum of a day'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      for (const way of COUNTED) await way.run(thief)
    },
  },
} satisfies Record<string, Way>

const WAYS = {
  ...orderWays,
  ...moneyWays,
  ...statementWays,
  ...catalogueWays,
  ...guardWays,
  ...accountWays,
  ...voucherWays,
  ...openingWays,
  ...together,
}
export type WayName = keyof typeof WAYS

/** Every way that is tried, in the order of the table. */
export const ALL_WAYS = Object.entries(WAYS) as [WayName, Way][]

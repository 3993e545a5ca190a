import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  entriesOf,
  type LedgerAccount,
  type LedgerEntry,
  type LedgerTransaction,
  type Posting,
  reversalOf,
} from './ledger.ts'

const account = fc.constantFrom<LedgerAccount>('bank:1', 'wallet:a', 'wallet:b', 'sales', 'refunds', 'suspense')
const posting: fc.Arbitrary<Posting> = fc
  .record({ from: account, to: account, amountSatang: fc.integer({ min: 1, max: 1_000_000_000 }) })
  .filter(({ from, to }) => from !== to)
const postings = fc.array(posting, { minLength: 1, maxLength: 5 })

/** What each account gains; accounts that end where they began are left out. */
function gainsOf(entries: readonly LedgerEntry[]): Partial<Record<LedgerAccount, number>> {
  const gains: Partial<Record<LedgerAccount, number>> = {}
  for (const { account, amountSatang } of entries) gains[account] = (gains[account] ?? 0) + amountSatang
  return Object.fromEntries(Object.entries(gains).filter(([, gain]) => gain !== 0))
}

test('whatever is posted sums to zero', () => {
  fc.assert(
    fc.property(postings, moved => {
      expect(entriesOf(moved).reduce((sum, { amountSatang }) => sum + amountSatang, 0)).toBe(0)
    }),
  )
})

test('money leaves where it comes from and arrives where it goes', () => {
  expect(gainsOf(entriesOf([{ from: 'wallet:a', to: 'sales', amountSatang: 14_900 }]))).toEqual({
    'wallet:a': -14_900,
    sales: 14_900,
  })
})

test.each<[string, Posting[]]>([
  ['no posting', []],
  ['nothing', [{ from: 'sales', to: 'refunds', amountSatang: 0 }]],
  ['a negative amount', [{ from: 'sales', to: 'refunds', amountSatang: -1 }]],
  ['parts of a satang', [{ from: 'sales', to: 'refunds', amountSatang: 0.5 }]],
  ['an account to itself', [{ from: 'sales', to: 'sales', amountSatang: 1 }]],
])('a transaction that moves %s is a bug and crashes', (_, moved) => {
  expect(() => entriesOf(moved)).toThrow()
})

test('a correction leaves every account where it was, and names what it undoes and why', () => {
  fc.assert(
    fc.property(postings, moved => {
      const original: LedgerTransaction = {
        id: 'posted',
        kind: 'top_up',
        subjectId: 'top-up',
        postings: moved,
        reason: null,
        reversesId: null,
        at: new Date('2026-11-20T07:00:00Z'),
      }
      const correction = reversalOf(original, 'entered twice')
      expect(gainsOf([...entriesOf(moved), ...entriesOf(correction.postings)])).toEqual({})
      expect(correction).toMatchObject({ kind: 'correction', reason: 'entered twice', reversesId: 'posted' })
    }),
  )
})

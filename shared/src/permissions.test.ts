import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ACTIONS,
  assignableRoles,
  type Caller,
  can,
  canEditAccount,
  hasWallet,
  isAdminSide,
  isBackOffice,
  isManagerLevel,
  ROLES,
} from './permissions.ts'
import { VALUE_MOVE } from './value/value.ts'

const CALLERS: readonly Caller[] = [...ROLES, 'guest']

/** An agent's machines, and their keys: nobody of the back office spends by key. */
const OF_AGENTS_ALONE = ['reseller.codes', 'reseller.keys', 'reseller.order', 'reseller.read']

/** What each step up the ladder adds; but agents, who pay from the wallet, nobody loses anything on the way. */
const GAINS: readonly [Caller, readonly string[]][] = [
  [
    'guest',
    [
      'account.signIn',
      'catalogue.browse',
      'order.changeOwn',
      'order.create',
      'order.own',
      'order.payByBank',
      'slip.look',
      'slip.upload',
      'statement.feed',
      'terms.accept',
    ],
  ],
  ['customer', ['account.link', 'account.own', 'account.sync', 'credit.own', 'pin.change']],
  ['agent', [...OF_AGENTS_ALONE, 'order.payByWallet', 'wallet.own']],
  [
    'staff',
    [
      'account.list',
      'backOffice.enter',
      'backlog.look',
      'message.look',
      'message.send',
      'order.list',
      'order.look',
      'order.work',
      'supplier.look',
      'totp.own',
      'value.refuse',
      'value.wait',
      'voucher.look',
      'wallet.addTopUp',
      'wallet.look',
    ],
  ],
  [
    'manager',
    [
      'account.edit',
      'agent.manage',
      'catalogue.look',
      'catalogue.manage',
      'dashboard.view',
      'health.look',
      'health.mend',
      'order.markLargePaid',
      'order.redoToOther',
      'order.refund',
      'order.takeOver',
      'reconciliation.look',
      'refund.look',
      'settings.manage',
      'statement.look',
      'statement.match',
      'supplier.manage',
      'value.second',
      'voucher.manage',
      'voucher.see',
      'wallet.approve',
    ],
  ],
  [
    'admin',
    [
      'account.erase',
      'admin.stepDown',
      'audit.view',
      'settings.pay',
      'totp.reset',
      'value.guard',
      'value.review',
      'value.secondAdmin',
    ],
  ],
]

test.each(GAINS.map(([caller], step) => [caller, step] as const))(
  '%s may do what they need and no more',
  (caller, step) => {
    const gained = GAINS.slice(0, step + 1).flatMap(([, actions]) => actions)
    const lost = caller === 'agent' ? ['order.payByBank'] : OF_AGENTS_ALONE
    const expected = gained.filter(action => !lost.includes(action))
    expect(ACTIONS.filter(action => can(caller, action)).sort()).toEqual([...expected].sort())
  },
)

test('an accountant sees the money and changes nothing of it', () => {
  const own = ['account.link', 'account.own', 'account.signIn', 'account.sync', 'backOffice.enter', 'totp.own']
  const shop = ['catalogue.browse', 'order.own', 'slip.look']
  const books = [
    'catalogue.look',
    'dashboard.view',
    'order.look',
    'reconciliation.look',
    'refund.look',
    'statement.look',
  ]
  expect(ACTIONS.filter(action => can('accountant', action)).sort()).toEqual([...own, ...shop, ...books].sort())
  expect(Object.values(VALUE_MOVE).filter(({ allow }) => can('accountant', allow))).toEqual([])
})

test('accountants work in the back office, too; managers and admins decide; customers and accountants have no wallet', () => {
  expect(CALLERS.filter(isAdminSide)).toEqual(['admin', 'manager', 'staff', 'accountant'])
  expect(CALLERS.filter(isManagerLevel)).toEqual(['admin', 'manager'])
  expect(CALLERS.filter(hasWallet)).toEqual(['admin', 'manager', 'staff', 'agent'])
})

test('a manager gives staff, agents and customers, an admin every role, everybody else none', () => {
  expect(assignableRoles('manager')).toEqual(['staff', 'agent', 'customer'])
  expect(assignableRoles('admin')).toEqual(['admin', 'manager', 'staff', 'accountant', 'agent', 'customer'])
  for (const caller of ['guest', 'customer', 'agent', 'accountant', 'staff'] as const)
    expect(assignableRoles(caller)).toEqual([])
})

test('what the second factor guards is nobody’s who does not work in the back office, and what customers do it leaves alone', () => {
  for (const action of ACTIONS.filter(isBackOffice))
    expect([action, CALLERS.filter(caller => can(caller, action) && !isAdminSide(caller))]).toEqual([action, []])
  const forCustomers = ACTIONS.filter(action => can('customer', action) || can('agent', action))
  expect(forCustomers.filter(isBackOffice)).toEqual([])
})

test('a manager edits neither admins nor accountants nor other managers', () => {
  const manager = { uid: 'm', role: 'manager' as const }
  expect(ROLES.filter(role => canEditAccount(manager, { uid: 'x', role }))).toEqual(['staff', 'agent', 'customer'])
})

test('nobody edits their own role or status', () => {
  const role = fc.constantFrom(...ROLES)
  fc.assert(
    fc.property(fc.string(), role, role, (uid, mine, stored) => {
      expect(canEditAccount({ uid, role: mine }, { uid, role: stored })).toBe(false)
    }),
  )
})

export const ROLES = ['admin', 'manager', 'staff', 'agent', 'customer'] as const
export type Role = (typeof ROLES)[number]
/** Who is calling: a signed-in role, or nobody. */
export type Caller = Role | 'guest'

const everyone: readonly Caller[] = ['guest', 'customer', 'agent', 'staff', 'manager', 'admin']
const signedIn: readonly Caller[] = ['customer', 'agent', 'staff', 'manager', 'admin']
const walletRoles: readonly Caller[] = ['agent', 'staff', 'manager', 'admin']
const adminSide: readonly Caller[] = ['staff', 'manager', 'admin']
const managers: readonly Caller[] = ['manager', 'admin']
const admins: readonly Caller[] = ['admin']

/** The one table of who may do what. Routes, menus, buttons and the API all ask it. */
const allowed = {
  'catalogue.browse': everyone,
  'catalogue.manage': managers,
  'settings.manage': managers,
  /** Where the money goes, and the banners: the specification gives both to admins only. */
  'settings.pay': admins,
  'order.create': everyone,
  'order.payByBank': ['guest', 'customer', ...adminSide],
  'order.payByWallet': walletRoles,
  'order.own': everyone,
  'order.work': adminSide,
  'order.refund': managers,
  'order.markLargePaid': managers,
  /** Have a failed order topped up for a player whom its buyer did not name. */
  'order.redoToOther': managers,
  'slip.upload': everyone,
  'account.sync': signedIn,
  'account.own': signedIn,
  'account.signIn': everyone,
  'account.link': signedIn,
  'pin.change': walletRoles,
  'totp.own': adminSide,
  'totp.reset': admins,
  'terms.accept': everyone,
  'account.list': adminSide,
  'account.edit': managers,
  'wallet.own': walletRoles,
  'wallet.look': adminSide,
  'wallet.addTopUp': adminSide,
  'wallet.approve': managers,
  'agent.manage': managers,
  'statement.match': managers,
  /** Whoever has a feed key; the call itself asks for it. */
  'statement.feed': everyone,
  /** What things cost the shop, and from whom it has them. */
  'supplier.manage': managers,
  'dashboard.view': managers,
  'audit.view': admins,
  /** What asks for a second person, and which of it waits; whose word it takes says value/value.ts. */
  'value.wait': adminSide,
  'value.second': managers,
  'value.secondAdmin': admins,
  /** The options and limits that stand between one person and the shop's money. */
  'value.guard': admins,
  'value.review': admins,
} satisfies Record<string, readonly Caller[]>

export type Action = keyof typeof allowed
export const ACTIONS = Object.keys(allowed) as Action[]

/** Whether a caller may do an action; says nothing about whose object it is. */
export function can(caller: Caller, action: Action): boolean {
  return (allowed[action] as readonly Caller[]).includes(caller)
}

/** Whether an action is the back office's: nobody else has it, and the second factor guards it. */
export const isBackOffice = (action: Action): boolean => allowed[action].every(isAdminSide)

export const isAdminSide = (caller: Caller): boolean => adminSide.includes(caller)
export const isManagerLevel = (caller: Caller): boolean => managers.includes(caller)
export const hasWallet = (caller: Caller): boolean => walletRoles.includes(caller)

/** Lower rank number = more power. */
const rank = (role: Role): number => ROLES.indexOf(role)

/**
 * Which roles `actor` may give: a manager offers staff, agent and customer; an admin offers every role; others none.
 */
export function assignableRoles(actor: Caller): Role[] {
  if (actor === 'admin') return [...ROLES]
  if (actor === 'manager') return ROLES.filter(role => rank(role) > rank('manager'))
  return []
}

/** Whether `actor` may edit an account that holds `target`; nobody edits their own role or status. */
export function canEditAccount(actor: { uid: string; role: Caller }, target: { uid: string; role: Role }): boolean {
  return actor.uid !== target.uid && assignableRoles(actor.role).includes(target.role)
}

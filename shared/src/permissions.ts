/** The one table of roles: a new one says here what it is. What it may do stands below, and is nothing until it stands there. */
const ROLE = {
  admin: { isBackOffice: true, decides: true, hasWallet: true, mayUseLine: false },
  manager: { isBackOffice: true, decides: true, hasWallet: true, mayUseLine: false },
  staff: { isBackOffice: true, decides: false, hasWallet: true, mayUseLine: true },
  /** Sees where the money came from and went, and changes nothing: no word of theirs moves any of it. */
  accountant: { isBackOffice: true, decides: false, hasWallet: false, mayUseLine: false },
  agent: { isBackOffice: false, decides: false, hasWallet: true, mayUseLine: true },
  customer: { isBackOffice: false, decides: false, hasWallet: false, mayUseLine: true },
} as const satisfies Record<string, RoleEntry>

interface RoleEntry {
  /** Works for the shop: gets into the admin site, signs in anew every day, and has a second factor. */
  isBackOffice: boolean
  /** Decides what staff prepare, and who has which part in the shop. */
  decides: boolean
  hasWallet: boolean
  /** Whether the chat app's word is enough to sign in with. */
  mayUseLine: boolean
}

export type Role = keyof typeof ROLE
export const ROLES = Object.keys(ROLE) as [Role, ...Role[]]
/** Who is calling: a signed-in role, or nobody. */
export type Caller = Role | 'guest'

type OfficeRole = { [R in Role]: (typeof ROLE)[R]['isBackOffice'] extends true ? R : never }[Role]

/** Which roles somebody may give, and take from those who have them. */
const MAY_APPOINT: Record<Role, readonly Role[]> = {
  admin: ROLES,
  manager: ['staff', 'agent', 'customer'],
  staff: [],
  accountant: [],
  agent: [],
  customer: [],
}

const everyone: readonly Caller[] = ['guest', ...ROLES]
const signedIn: readonly Role[] = ROLES
const buyers: readonly Caller[] = ['guest', 'customer', 'agent', 'staff', 'manager', 'admin']
const walletOwners: readonly Role[] = ['agent', 'staff', 'manager', 'admin']

const office = ROLES.filter((role): role is OfficeRole => ROLE[role].isBackOffice)
const workers: readonly OfficeRole[] = ['staff', 'manager', 'admin']
const managers: readonly OfficeRole[] = ['manager', 'admin']
const admins: readonly OfficeRole[] = ['admin']
/** Who see the shop's money: those who decide on it, and those who only keep the books. */
const bookkeepers: readonly OfficeRole[] = ['accountant', ...managers]

/** Who may do what in the shop itself, where people of the back office are customers like any other. */
const IN_THE_SHOP = {
  'catalogue.browse': everyone,
  'order.create': buyers,
  'order.payByBank': ['guest', 'customer', 'staff', 'manager', 'admin'],
  'order.payByWallet': walletOwners,
  'order.own': everyone,
  /** Report a transfer for one's order, take it back, correct its player. */
  'order.changeOwn': buyers,
  'slip.look': everyone,
  'slip.upload': buyers,
  'account.sync': signedIn,
  'account.own': signedIn,
  'account.signIn': everyone,
  'account.link': signedIn,
  'pin.change': walletOwners,
  'terms.accept': buyers,
  'wallet.own': walletOwners,
  /** Whoever has a feed key; the call itself asks for it. */
  'statement.feed': buyers,
} as const satisfies Record<string, readonly Caller[]>

/**
 * Who may do what in the back office. The second factor guards all of it, so no role of the shop's customers fits in here.
 * To look at something and to act on it are two actions, so that somebody may only look. A "manage" is both: it is the
 * shop's own setting up, at which nobody looks who does not change it.
 */
const IN_THE_BACK_OFFICE = {
  /** Come in at all, to one's own page. */
  'backOffice.enter': office,
  'totp.own': office,
  'totp.reset': admins,
  'account.list': workers,
  'account.edit': managers,
  /** What waits for whom. */
  'backlog.look': workers,
  /** One order, as a statement line or a refund leads to it; whose work it is not sees no player and no way to its buyer. */
  'order.look': ['accountant', ...workers],
  /** The queue, the history, the search through all orders. */
  'order.list': workers,
  'order.work': workers,
  /** Go on with an order that somebody else has claimed. */
  'order.takeOver': managers,
  'order.refund': managers,
  'order.markLargePaid': managers,
  /** Have a failed order topped up for a player whom its buyer did not name. */
  'order.redoToOther': managers,
  'refund.look': bookkeepers,
  /** What the shop told people by LINE and by mail. */
  'message.look': workers,
  'message.send': workers,
  'wallet.look': workers,
  'wallet.addTopUp': workers,
  'wallet.approve': managers,
  'statement.look': bookkeepers,
  'statement.match': managers,
  'reconciliation.look': bookkeepers,
  'dashboard.view': bookkeepers,
  'supplier.look': workers,
  /** What things cost the shop, and from whom it has them. */
  'supplier.manage': managers,
  /** Which games there are, on sale or not: what reports are asked by. */
  'catalogue.look': bookkeepers,
  'catalogue.manage': managers,
  'agent.manage': managers,
  'settings.manage': managers,
  /** Where the money goes, and the banners: the specification gives both to admins only. */
  'settings.pay': admins,
  'audit.view': admins,
  /** What asks for a second person, and which of it waits; whose word it takes says value/value.ts. */
  'value.wait': workers,
  'value.refuse': workers,
  'value.second': managers,
  'value.secondAdmin': admins,
  /** The options and limits that stand between one person and the shop's money. */
  'value.guard': admins,
  'value.review': admins,
} as const satisfies Record<string, readonly OfficeRole[]>

const allowed = { ...IN_THE_SHOP, ...IN_THE_BACK_OFFICE }

export type Action = keyof typeof allowed
export const ACTIONS = Object.keys(allowed) as Action[]

/** Whether a caller may do an action; says nothing about whose object it is. Routes, menus, buttons and the API all ask it. */
export function can(caller: Caller, action: Action): boolean {
  return (allowed[action] as readonly Caller[]).includes(caller)
}

/** Whether an action is the back office's, which the second factor guards. */
export const isBackOffice = (action: Action): boolean => action in IN_THE_BACK_OFFICE

const isRole = (caller: Caller): caller is Role => caller !== 'guest'

export const isAdminSide = (caller: Caller): boolean => isRole(caller) && ROLE[caller].isBackOffice
export const isManagerLevel = (caller: Caller): boolean => isRole(caller) && ROLE[caller].decides
export const hasWallet = (caller: Caller): boolean => isRole(caller) && ROLE[caller].hasWallet
export const mayUseLine = (role: Role): boolean => ROLE[role].mayUseLine

/** Which roles `actor` may give. */
export const assignableRoles = (actor: Caller): readonly Role[] => (isRole(actor) ? MAY_APPOINT[actor] : [])

/** Whether `actor` may edit an account that holds `target`; nobody edits their own role or status. */
export function canEditAccount(actor: { uid: string; role: Caller }, target: { uid: string; role: Role }): boolean {
  return actor.uid !== target.uid && assignableRoles(actor.role).includes(target.role)
}

import { keysOf } from './table.ts'

/** The table of roles. A new role is described here; it may do nothing until the tables below name it. */
const ROLE = {
  admin: { isBackOffice: true, decides: true, hasWallet: true, mayUseLine: false },
  manager: { isBackOffice: true, decides: true, hasWallet: true, mayUseLine: false },
  staff: { isBackOffice: true, decides: false, hasWallet: true, mayUseLine: true },
  /** Sees where money came from and went, but changes nothing and can't agree to anything. */
  accountant: { isBackOffice: true, decides: false, hasWallet: false, mayUseLine: false },
  agent: { isBackOffice: false, decides: false, hasWallet: true, mayUseLine: true },
  customer: { isBackOffice: false, decides: false, hasWallet: false, mayUseLine: true },
} as const satisfies Record<string, RoleEntry>

interface RoleEntry {
  /** Works for the shop: may enter the admin site, must sign in every day and needs a second factor. */
  isBackOffice: boolean
  /** Decides what staff prepare, and who has which role in the shop. */
  decides: boolean
  hasWallet: boolean
  /** Whether the chat app's identity is enough to sign in. */
  mayUseLine: boolean
}

export type Role = keyof typeof ROLE
export const ROLES = keysOf(ROLE)
/** Those who must hear of what moves the shop's money, by their names for staff; managers' news are admins', too. */
export const AUDIENCE = { managers: 'ผู้จัดการ', admins: 'ผู้ดูแลระบบ' } as const satisfies Record<string, string>
export type Audience = keyof typeof AUDIENCE
export const AUDIENCES = keysOf(AUDIENCE)
/** Who is calling: a signed-in role, or nobody. */
export type Caller = Role | 'guest'

type OfficeRole = { [R in Role]: (typeof ROLE)[R]['isBackOffice'] extends true ? R : never }[Role]

/** The roles that each role may give to people and take from them. */
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
/** Everybody who sees the shop's money: those who decide about it and those who only keep the books. */
const bookkeepers: readonly OfficeRole[] = ['accountant', ...managers]

/** Permissions in the shop itself, where people of the back office are customers like any other. */
const IN_THE_SHOP = {
  'catalogue.browse': everyone,
  'order.create': buyers,
  'order.payByBank': ['guest', 'customer', 'staff', 'manager', 'admin'],
  'order.payByWallet': walletOwners,
  'order.own': everyone,
  /** Permits reporting a transfer for one's order, cancelling it and correcting its player. */
  'order.changeOwn': buyers,
  'slip.look': everyone,
  'slip.upload': buyers,
  'account.sync': signedIn,
  'account.own': signedIn,
  'account.signIn': everyone,
  'account.link': signedIn,
  'pin.change': ['customer', ...walletOwners],
  'terms.accept': buyers,
  'wallet.own': walletOwners,
  /** Permits having shop credit: taking a refund as credit, and paying with it. */
  'credit.own': ['customer', ...walletOwners],
  /** Permits making keys for one's own machines, and saying where those are told about events. */
  'reseller.keys': ['agent'],
  /** Permits anybody to call it; the call itself requires a feed key. */
  'statement.feed': buyers,
} as const satisfies Record<string, readonly Caller[]>

/** Permissions of agents' machines, which call with keys of their own; no session has them. */
const OF_MACHINES = {
  'reseller.read': ['agent'],
  'reseller.order': ['agent'],
  'reseller.codes': ['agent'],
} as const satisfies Record<string, readonly Caller[]>

/**
 * Permissions in the back office. All of them need the second factor, so no customer's role belongs here. Looking at
 * something and acting on it are two actions, so that somebody may only look. A "manage" action is both, for settings
 * at which only those look who also change them.
 */
const IN_THE_BACK_OFFICE = {
  /** Permits entering the back office, with one's own page. */
  'backOffice.enter': office,
  'totp.own': office,
  'totp.reset': admins,
  /** Permits giving up one's own rank. */
  'admin.stepDown': admins,
  'account.list': workers,
  'account.edit': managers,
  /** Permits seeing who asked to be erased, and approving it together with a second admin. */
  'account.erase': admins,
  /** Permits seeing what work waits. */
  'backlog.look': workers,
  /**
   * Permits seeing one order, as a statement line or a refund leads to it. Somebody who does not work on orders sees
   * neither the player nor a way to reach the buyer.
   */
  'order.look': ['accountant', ...workers],
  /** Permits the queue, the history and the search of all orders. */
  'order.list': workers,
  'order.work': workers,
  /** Permits taking over an order that somebody else has claimed. */
  'order.takeOver': managers,
  'order.refund': managers,
  'order.markLargePaid': managers,
  /** Permits delivering a failed order to a player whom its buyer did not name. */
  'order.redoToOther': managers,
  'refund.look': bookkeepers,
  /** Permits seeing what the shop sent by LINE and mail. */
  'message.look': workers,
  'message.send': workers,
  'wallet.look': workers,
  'wallet.addTopUp': workers,
  'wallet.approve': managers,
  'statement.look': bookkeepers,
  'statement.match': managers,
  'reconciliation.look': bookkeepers,
  'dashboard.view': bookkeepers,
  /** Permits seeing how many codes there are, and their ends. */
  'voucher.look': workers,
  /** Permits importing codes and taking them out of sale. */
  'voucher.manage': managers,
  /** Permits seeing a whole code, with a reason that is kept. */
  'voucher.see': managers,
  'supplier.look': workers,
  /** Permits seeing and changing what things cost the shop and which supplier delivers them. */
  'supplier.manage': managers,
  /** Permits seeing which games exist, on sale or not, because reports are filtered by them. */
  'catalogue.look': bookkeepers,
  'catalogue.manage': managers,
  'agent.manage': managers,
  /** Permits seeing how the services do that the shop depends on; managers act on most of them. */
  'health.look': managers,
  /** Permits starting again, or closing, what was given up or what nobody outside answers. */
  'health.mend': managers,
  'settings.manage': managers,
  /** Permits changing where customers' money goes, and the banners; the specification allows both to admins only. */
  'settings.pay': admins,
  'audit.view': admins,
  /** Permits seeing which questions wait for a second person; value/value.ts tells who may answer which. */
  'value.wait': workers,
  'value.refuse': workers,
  'value.second': managers,
  'value.secondAdmin': admins,
  /** Permits changing the options and limits that protect the shop's money from one person alone. */
  'value.guard': admins,
  'value.review': admins,
} as const satisfies Record<string, readonly OfficeRole[]>

const allowed = { ...IN_THE_SHOP, ...OF_MACHINES, ...IN_THE_BACK_OFFICE }

export type Action = keyof typeof allowed
export const ACTIONS = keysOf(allowed)

/**
 * Tells whether a caller may do an action, whatever object it is about. Routes, menus, buttons and the API all ask
 * this.
 */
export function can(caller: Caller, action: Action): boolean {
  return (allowed[action] as readonly Caller[]).includes(caller)
}

/** Tells whether an action belongs to the back office, which the second factor protects. */
export const isBackOffice = (action: Action): boolean => action in IN_THE_BACK_OFFICE

/** Tells whether an action is done by machines with keys only. */
export const isOfMachines = (action: Action): boolean => action in OF_MACHINES

const isRole = (caller: Caller): caller is Role => caller !== 'guest'

export const isAdminSide = (caller: Caller): boolean => isRole(caller) && ROLE[caller].isBackOffice
export const isManagerLevel = (caller: Caller): boolean => isRole(caller) && ROLE[caller].decides
export const hasWallet = (caller: Caller): boolean => isRole(caller) && ROLE[caller].hasWallet
export const mayUseLine = (role: Role): boolean => ROLE[role].mayUseLine

/** Returns the roles that `actor` may give. */
export const assignableRoles = (actor: Caller): readonly Role[] => (isRole(actor) ? MAY_APPOINT[actor] : [])

/** Tells whether `actor` may edit an account with the role `target`; nobody edits their own role or status. */
export function canEditAccount(actor: { uid: string; role: Caller }, target: { uid: string; role: Role }): boolean {
  return actor.uid !== target.uid && assignableRoles(actor.role).includes(target.role)
}

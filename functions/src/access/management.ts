import { accountStatusOf, isOwnLineAccount, parsePhone } from '@shop/shared/account/account.ts'
import * as contract from '@shop/shared/account/endpoints.ts'
import { stepDown } from '@shop/shared/account/rank-endpoints.ts'
import type { AuditAction } from '@shop/shared/audit/action.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { assignableRoles, canEditAccount, isAdminSide, mayUseLine, type Role } from '@shop/shared/permissions.ts'
import { authorise } from '../account/caller.ts'
import { mustBeProven } from '../account/session.ts'
import {
  type Account,
  type AccountChange,
  findAccount,
  findAdmins,
  isBeingErased,
  lockAccounts,
  saveAccount,
} from '../account/store.ts'
import { type AuditSide, audit } from '../audit/store.ts'
import { type Person, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import type { Shop } from '../shop/shop.ts'
import { endMachines } from './machines.ts'
import { mustBeRecent, type SignedIn, signedInOf } from './own-account.ts'
import { moveOwnRank, moveRank } from './rank.ts'
import { claimsOf, meOf } from './view.ts'

type Accounts = Pick<Shop, 'db' | 'identityProvider'>

/**
 * The caller and the account they want to change. Both are locked, and the caller's rank has been found high enough.
 */
export interface Edit {
  tx: Sql
  actor: { uid: string; role: Role }
  target: Account
  /**
   * Saves a change and its audit entry with the fields in `shown`; `earlier` gives old values that the account's own
   * row does not hold. A change that ends the account's sessions ends its machines' keys and endpoints, too.
   */
  save(action: AuditAction, change: AccountChange, shown: AuditSide, earlier?: AuditSide): Promise<void>
}

/**
 * Changes somebody else's account. The caller's role is read again under lock: two admins who take each other's role
 * away at the same moment must not both succeed.
 */
export async function editAccount<T>(
  { db }: Pick<Shop, 'db'>,
  by: Person,
  uid: string,
  work: (edit: Edit) => Promise<T>,
): Promise<T> {
  return db.transaction(async tx => {
    const accounts = await lockAccounts(tx, [by.uid, uid])
    const [self, target] = [accounts.get(by.uid), accounts.get(uid)]
    if (!target) throw new AppError('NOT_FOUND')
    const actor = { uid: by.uid, role: self?.role ?? 'customer' }
    if (!canEditAccount(actor, target) || (await isBeingErased(tx, uid))) throw new AppError('FORBIDDEN')
    const save: Edit['save'] = async (action, change, shown, earlier) => {
      if (change.tokensValidAfter) await endMachines(tx, { uid, by: by.uid, now: by.now })
      await saveAccount(tx, uid, change)
      const own = Object.fromEntries(Object.keys(shown).map(key => [key, target[key as keyof Account]]))
      const write = { action, subject: `account:${uid}`, before: { ...own, ...earlier }, after: { ...shown } } as const
      await audit(tx, { ...actor, now: by.now }, write)
    }
    return work({ tx, actor, target, save })
  })
}

/**
 * Ends every session at the identity provider. Its new `tokensValidAfter` is recorded, so that it is not taken for a
 * password reset by mail.
 */
export async function revokeSessions({ db, identityProvider }: Accounts, uid: string): Promise<void> {
  await saveAccount(db, uid, { providerValidAfter: await identityProvider.revokeTokens(uid) })
}

/**
 * Brings the identity provider in line with the account. It runs after the commit, because the shop's own rows decide.
 */
export async function publish(shop: Accounts, uid: string, revoke: boolean): Promise<Account> {
  const account = await findAccount(shop.db, uid)
  invariant(account, 'accounts are never deleted')
  await shop.identityProvider.setClaims(uid, claimsOf(account))
  if (revoke) await revokeSessions(shop, uid)
  return account
}

/** Only somebody with a proven address may get a rank, because anybody can register with any address. */
export function mustBeKnown(target: Account): void {
  if (target.role === 'customer') mustBeProven(target)
}

async function setUserRole(shop: Accounts, by: Person, body: ParsedInput<typeof contract.setUserRole>['body']) {
  const { uid, role } = body
  const status = accountStatusOf(body.isActived)
  await editAccount(shop, by, uid, async ({ tx, actor, target, save }) => {
    if (!assignableRoles(actor.role).includes(role)) throw new AppError('ROLE_NOT_ASSIGNABLE')
    if (target.role === role && target.status === status) return
    if (role !== 'customer') mustBeKnown(target)
    if (isOwnLineAccount(uid) && !mayUseLine(role)) throw new AppError('LINE_NOT_ALLOWED')
    await moveRank(tx, by, target, { role, status })
    await save('account.setRole', { role, status, tokensValidAfter: by.now }, { role, status })
  })
  await shop.identityProvider.updateUser(uid, { isDisabled: status === 'inactive' })
  return publish(shop, uid, true)
}

/** Makes an admin a manager at their own wish, so that nobody else's word is needed; one must stay. */
async function leaveRank(shop: Accounts, by: SignedIn) {
  mustBeRecent(by)
  const { uid, now } = by
  await shop.db.transaction(async tx => {
    // All of them, because two who step down at the same moment must not both succeed.
    const target = (await lockAccounts(tx, await findAdmins(tx))).get(uid)
    if (target?.role !== 'admin') throw new AppError('FORBIDDEN')
    const { role, status } = target
    const next = { role: 'manager', status } as const
    await moveOwnRank(tx, by, target, next)
    await saveAccount(tx, uid, { ...next, tokensValidAfter: now })
    const write = {
      action: 'account.setRole',
      subject: `account:${uid}`,
      before: { role, status },
      after: next,
    } as const
    await audit(tx, by, write)
  })
  await publish(shop, uid, true)
  return { uid }
}

type ProfileInput = ParsedInput<typeof contract.updateUser>['body']

function profileChange({ firstName, lastName, phoneNumber }: ProfileInput): AccountChange {
  return {
    ...(firstName !== undefined && { givenName: firstName }),
    ...(lastName !== undefined && { familyName: lastName }),
    ...(phoneNumber !== undefined && { phone: parsePhone(phoneNumber) }),
  }
}

/**
 * Saves a profile: people change their own freely, and a change of somebody else's is audited as a back-office write.
 */
async function saveProfile(shop: Accounts, by: Person, uid: string, change: AccountChange): Promise<void> {
  const isEmpty = Object.keys(change).length === 0
  if (uid !== by.uid) {
    await editAccount(shop, by, uid, async ({ save }) => {
      if (!isEmpty) await save('account.updateProfile', change, change)
    })
  } else if (!isEmpty) await saveAccount(shop.db, uid, change)
}

async function updateUser(shop: Accounts, by: Person, body: ProfileInput) {
  const uid = body.uid ?? by.uid
  if (!(await findAccount(shop.db, uid))) throw new AppError('NOT_FOUND')
  await saveProfile(shop, by, uid, profileChange(body))
  const account = await findAccount(shop.db, uid)
  invariant(account, 'accounts are never deleted')
  const me = meOf(account)
  await shop.identityProvider.updateUser(uid, { displayName: body.displayName || me.displayName })
  return me
}

export const managementRoutes: Route[] = [
  route(contract.setUserRole, async ({ body }, context) =>
    meOf(await setUserRole(context.shop, personOf(context), body)),
  ),
  route(stepDown, async (_, context) => leaveRank(context.shop, signedInOf(context))),
  route(contract.updateUser, ({ body }, context) => {
    const by = personOf(context)
    const isOwn = body.uid === undefined || body.uid === by.uid
    if (!isOwn && !isAdminSide(by.role)) throw new AppError('NOT_FOUND')
    if (!isOwn) authorise(context, 'account.edit')
    return updateUser(context.shop, by, body)
  }),
]

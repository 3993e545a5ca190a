import { accountStatusOf, parsePhone } from '@shop/shared/account/account.ts'
import * as contract from '@shop/shared/account/endpoints.ts'
import type { AuditAction } from '@shop/shared/audit/action.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { assignableRoles, can, canEditAccount, isAdminSide, type Role } from '@shop/shared/permissions.ts'
import { insertAudit } from '../audit/store.ts'
import type { Sql } from '../database/database.ts'
import { type Context, type Route, route } from '../http/route.ts'
import { type Account, type AccountChange, findAccount, lockAccounts, saveAccount } from './store.ts'
import { claimsOf, meOf } from './view.ts'

/** The caller and the account they want to change, both locked, after the ranks were compared. */
export interface Edit {
  tx: Sql
  actor: { uid: string; role: Role }
  target: Account
  /** Saves a change and its audit entry; a change that changes nothing leaves no entry. */
  save(action: AuditAction, change: AccountChange, shown: Partial<Account>): Promise<void>
}

/**
 * Changes somebody else's account. The caller's role is read again under lock: two admins who take each other's role
 * away at the same moment must not both succeed.
 */
export async function editAccount<T>(context: Context, uid: string, work: (edit: Edit) => Promise<T>): Promise<T> {
  const { shop, now, uid: actorUid } = context
  invariant(actorUid, 'only signed-in people edit accounts')
  return shop.db.transaction(async tx => {
    const accounts = await lockAccounts(tx, [actorUid, uid])
    const [self, target] = [accounts.get(actorUid), accounts.get(uid)]
    if (!target) throw new AppError('NOT_FOUND')
    const actor = { uid: actorUid, role: self?.role ?? 'customer' }
    if (!canEditAccount(actor, target)) throw new AppError('FORBIDDEN')
    const save: Edit['save'] = async (action, change, shown) => {
      await saveAccount(tx, uid, change)
      const before = Object.fromEntries(Object.keys(shown).map(key => [key, target[key as keyof Account]]))
      const record = { actorUid, actorRole: actor.role, action, subject: `account:${uid}`, at: now }
      await insertAudit(tx, { ...record, before, after: { ...shown } })
    }
    return work({ tx, actor, target, save })
  })
}

/** Brings the identity provider in line with the account. Comes after the commit: the shop's own rows decide. */
export async function publish({ shop }: Context, uid: string, revoke: boolean) {
  const account = await findAccount(shop.db, uid)
  invariant(account, 'accounts are never deleted')
  await shop.identityProvider.setClaims(uid, claimsOf(account))
  if (revoke) await shop.identityProvider.revokeTokens(uid)
  return meOf(account)
}

async function setUserRole(context: Context, body: ParsedInput<typeof contract.setUserRole>['body']) {
  const { uid, role } = body
  const status = accountStatusOf(body.isActived)
  await editAccount(context, uid, async ({ actor, target, save }) => {
    if (!assignableRoles(actor.role).includes(role)) throw new AppError('ROLE_NOT_ASSIGNABLE')
    if (target.role === role && target.status === status) return
    await save('account.setRole', { role, status, tokensValidAfter: context.now }, { role, status })
  })
  await context.shop.identityProvider.updateUser(uid, { isDisabled: status === 'inactive' })
  return publish(context, uid, true)
}

type ProfileInput = ParsedInput<typeof contract.updateUser>['body']

function profileChange({ firstName, lastName, phoneNumber }: ProfileInput): AccountChange {
  return {
    ...(firstName !== undefined && { givenName: firstName }),
    ...(lastName !== undefined && { familyName: lastName }),
    ...(phoneNumber !== undefined && { phone: parsePhone(phoneNumber) }),
  }
}

/** People change their own profile freely; somebody else's is a back-office write. */
async function saveProfile(context: Context, uid: string, change: AccountChange): Promise<void> {
  const isEmpty = Object.keys(change).length === 0
  if (uid !== context.uid) {
    await editAccount(context, uid, async ({ save }) => {
      if (!isEmpty) await save('account.updateProfile', change, change)
    })
  } else if (!isEmpty) await saveAccount(context.shop.db, uid, change)
}

async function updateUser(context: Context, body: ProfileInput) {
  const { shop, caller } = context
  const uid = body.uid ?? context.uid!
  if (uid !== context.uid && !can(caller, 'account.edit')) {
    throw new AppError(isAdminSide(caller) ? 'FORBIDDEN' : 'NOT_FOUND')
  }
  if (!(await findAccount(shop.db, uid))) throw new AppError('NOT_FOUND')
  await saveProfile(context, uid, profileChange(body))
  const account = await findAccount(shop.db, uid)
  invariant(account, 'accounts are never deleted')
  const me = meOf(account)
  await shop.identityProvider.updateUser(uid, { displayName: body.displayName || me.displayName })
  return me
}

export const managementRoutes: Route[] = [
  route(contract.setUserRole, ({ body }, context) => setUserRole(context, body)),
  route(contract.updateUser, ({ body }, context) => updateUser(context, body)),
]

import { hash } from '@node-rs/argon2'
import { type AccountStatus, parsePhone } from '@shop/shared/account/account.ts'
import * as contract from '@shop/shared/account/endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { assignableRoles, can, canEditAccount, hasWallet, isAdminSide, type Role } from '@shop/shared/permissions.ts'
import { insertAudit } from '../audit/store.ts'
import type { Sql } from '../database/database.ts'
import { type Context, type Route, route } from '../http/route.ts'
import { createOneTimePin, hashPin, setPin } from './pin.ts'
import { type Account, type AccountChange, findAccount, lockAccounts, saveAccount } from './store.ts'
import { claimsOf, meOf } from './view.ts'

/** The caller and the account they want to change, both locked, after the ranks were compared. */
export interface Edit {
  tx: Sql
  actor: { uid: string; role: Role }
  target: Account
  /** Saves a change and its audit entry; a change that changes nothing leaves no entry. */
  save(action: string, change: AccountChange, shown: Partial<Account>): Promise<void>
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

const statusOf = (isActived: boolean | null): AccountStatus =>
  isActived === null ? 'pending' : isActived ? 'active' : 'inactive'

async function setUserRole(context: Context, body: ParsedInput<typeof contract.setUserRole>['body']) {
  const { uid, role } = body
  const status = statusOf(body.isActived)
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
    ...(firstName !== undefined && { name: firstName }),
    ...(lastName !== undefined && { surname: lastName }),
    ...(phoneNumber !== undefined && { tel: parsePhone(phoneNumber) }),
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

async function updateUserAuthentication(context: Context, { uid, password }: { uid: string; password: string }) {
  const oneTimePasswordHash = await hash(password)
  await editAccount(context, uid, async ({ target, save }) => {
    if (!target.providers.includes('password')) throw new AppError('NO_PASSWORD_SIGN_IN')
    const forced = { isPasswordChange: false, tokensValidAfter: context.now }
    await save('account.resetPassword', { ...forced, oneTimePasswordHash }, { isPasswordChange: false })
  })
  await context.shop.identityProvider.updateUser(uid, { password })
  return publish(context, uid, true)
}

async function setCustomAgentClaims(context: Context, body: ParsedInput<typeof contract.setCustomAgentClaims>['body']) {
  const change: AccountChange = {
    ...(body.ispasswordchange !== undefined && { isPasswordChange: false }),
    ...(body.ispinchange !== undefined && { isPinChange: false }),
  }
  await editAccount(context, body.uid, async ({ target, save }) => {
    if (target.role !== 'agent') throw new AppError('AGENT_NOT_FOUND')
    if (Object.keys(change).length > 0) await save('account.forceChange', change, change)
  })
  return publish(context, body.uid, false)
}

async function resetPin(context: Context, uid: string) {
  const pin = createOneTimePin()
  const pinHash = await hashPin(pin)
  await editAccount(context, uid, async ({ tx, target, save }) => {
    if (!hasWallet(target.role)) throw new AppError('WALLET_NOT_FOUND')
    await setPin(tx, uid, pinHash, true)
    await save('account.resetPin', { isPinChange: false }, { isPinChange: false })
  })
  await publish(context, uid, false)
  return { pin }
}

export const managementRoutes: Route[] = [
  route(contract.setUserRole, ({ body }, context) => setUserRole(context, body)),
  route(contract.updateUser, ({ body }, context) => updateUser(context, body)),
  route(contract.updateUserAuthentication, ({ body }, context) => updateUserAuthentication(context, body)),
  route(contract.setCustomAgentClaims, ({ body }, context) => setCustomAgentClaims(context, body)),
  route(contract.resetPin, ({ params }, context) => resetPin(context, params.uid)),
]

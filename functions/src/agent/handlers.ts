import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { accountStatusOf, isActivedOf, parsePhone, showPhone } from '@shop/shared/account/account.ts'
import type { Agent, Tier } from '@shop/shared/agent/endpoints.ts'
import * as contract from '@shop/shared/agent/endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { assignableRoles, canEditAccount } from '@shop/shared/permissions.ts'
import { uuidv7 } from 'uuidv7'
import { editAccount, publish } from '../account/management.ts'
import { createOneTimePin, hashPin, lockPin, setPin } from '../account/pin.ts'
import { type Account, type AccountChange, isEmailOfOther } from '../account/store.ts'
import { type AuditRecord, insertAudit } from '../audit/store.ts'
import type { Sql } from '../database/database.ts'
import { type Context, personOf, type Route, route } from '../http/route.ts'
import { changeCatalogue } from '../settings/catalogue-change.ts'
import { discountRoutes } from './discounts.ts'
import * as store from './store.ts'

const SEARCH_LIMIT = 20

/** Records a write of the back office about agents. */
async function audit(
  tx: Sql,
  context: Context,
  write: Pick<AuditRecord, 'action' | 'subject' | 'before' | 'after'>,
): Promise<void> {
  invariant(context.uid, 'only signed-in people manage agents')
  await insertAudit(tx, { ...write, actorUid: context.uid, actorRole: context.caller, at: context.now })
}

/** An agent in the API's words; whether the caller may edit them is the ranks' to say. */
const viewAgent = (stored: store.StoredAgent, { uid, caller }: Context): Agent => {
  const { username, givenName, familyName, phone, status, ...agent } = stored
  return {
    ...agent,
    ...{ name: username, firstName: givenName, lastName: familyName, tel: showPhone(phone) },
    isActived: isActivedOf(status),
    canEdit: canEditAccount({ uid: uid ?? '', role: caller }, stored),
  }
}

const viewTier = ({ isActive, ...tier }: store.Tier): Tier => ({ ...tier, isActived: isActive })

async function agentView(context: Context, uid: string): Promise<Agent> {
  const agent = await store.findAgent(context.shop.db, uid)
  invariant(agent, 'accounts are never deleted')
  return viewAgent(agent, context)
}

async function mustBeActiveTier(db: Sql, tierId: number): Promise<void> {
  if (!(await store.findTier(db, tierId))?.isActive) throw new AppError('TIER_NOT_FOUND')
}

type TierInput = ParsedInput<typeof contract.saveTier>['body']

async function saveTier(context: Context, { isActived: isActive, ...input }: TierInput) {
  const tier = { ...input, isActive }
  return changeCatalogue(context.shop.db, personOf(context), async ({ tx, audit }) => {
    const before = tier.id === undefined ? null : await store.findTier(tx, tier.id)
    const id = await store.saveTier(tx, tier)
    if (id === null) throw new AppError('TIER_NOT_FOUND')
    const after = await store.findTier(tx, id)
    invariant(after, 'the tier was just saved')
    await audit({ action: 'tier.save', subject: `tier:${id}`, before: { ...before }, after: { ...after } })
    return viewTier(after)
  })
}

/** The identity provider follows what the shop decided: its switch, the claims, and sessions that must end. */
async function publishStatus(context: Context, uid: string, isActived: boolean, isChanged: boolean): Promise<void> {
  if (isChanged) await context.shop.identityProvider.updateUser(uid, { isDisabled: !isActived })
  await publish(context, uid, isChanged)
}

/** A new status ends the sessions of the old one. */
function statusChange(target: Account, isActived: boolean, now: Date): AccountChange {
  const status = accountStatusOf(isActived)
  return target.status === status ? {} : { status, tokensValidAfter: now }
}

async function mapTier(context: Context, { uid, tierId, isActived }: ParsedInput<typeof contract.mapTier>['body']) {
  const newPin = createOneTimePin()
  const pinHash = await hashPin(newPin)
  const { pin, isChanged } = await editAccount(context, uid, async ({ tx, target, save }) => {
    if (target.tierId !== tierId) await mustBeActiveTier(tx, tierId)
    // Wallet before PIN, as a purchase locks them.
    await store.saveWalletTier(tx, uid, tierId, context.now)
    const hasPin = (await lockPin(tx, uid)) !== null
    const becomesAgent = target.role === 'customer'
    const change: AccountChange = {
      ...statusChange(target, isActived, context.now),
      ...(becomesAgent && { role: 'agent', tokensValidAfter: context.now }),
      ...(!hasPin && { mustChangePin: true }),
    }
    if (!hasPin) await setPin(tx, uid, pinHash)
    const shown = { tierId, role: becomesAgent ? 'agent' : target.role, status: accountStatusOf(isActived) } as const
    // An update without a column to set is no SQL: the role stays what it is.
    await save('agent.mapTier', { role: target.role, ...change }, shown)
    return { pin: hasPin ? null : newPin, isChanged: change.tokensValidAfter !== undefined }
  })
  await publishStatus(context, uid, isActived, isChanged)
  return { agent: await agentView(context, uid), pin }
}

function mustBeAgent(target: Account): void {
  if (target.role !== 'agent' && target.walletId === null) throw new AppError('AGENT_NOT_FOUND')
}

async function setAgentStatus(context: Context, uid: string, isActived: boolean) {
  const isChanged = await editAccount(context, uid, async ({ target, save }) => {
    mustBeAgent(target)
    const change = statusChange(target, isActived, context.now)
    if (!change.status) return false
    await save('agent.setStatus', change, { status: accountStatusOf(isActived) })
    return true
  })
  await publishStatus(context, uid, isActived, isChanged)
  return agentView(context, uid)
}

async function createAgentUser(context: Context, input: ParsedInput<typeof contract.createAgentUser>['body']) {
  const { shop, now } = context
  const { name, firstName, lastName, bankCode, bankAccount, isActived, tierId } = input
  const email = input.email.toLowerCase()
  const uid = uuidv7()
  const password = input.password ?? randomBytes(9).toString('base64url')
  const pin = createOneTimePin()
  const [oneTimePasswordHash, pinHash] = await Promise.all([hash(password), hashPin(pin)])
  const names = { username: name, givenName: firstName, familyName: lastName, phone: parsePhone(input.tel) }
  const person = { uid, ...names, email, status: accountStatusOf(isActived) }
  await shop.db.transaction(async tx => {
    if (await isEmailOfOther(tx, email, uid)) throw new AppError('EMAIL_IN_USE')
    await store.insertAgentAccount(tx, { ...person, oneTimePasswordHash, createdAt: now })
    await store.saveAgentBank(tx, uid, { bankCode, bankAccount })
    await setPin(tx, uid, pinHash)
    if (tierId !== undefined) {
      await mustBeActiveTier(tx, tierId)
      await store.saveWalletTier(tx, uid, tierId, now)
    }
    const after = { ...person, bankCode, bankAccount, tierId: tierId ?? null }
    await audit(tx, context, { action: 'agent.create', subject: `account:${uid}`, before: null, after })
    // Last, so that what can be refused was refused before the credentials exist.
    await shop.identityProvider.createUser({ uid, email, password, displayName: name })
  })
  await publishStatus(context, uid, isActived, !isActived)
  return { agent: await agentView(context, uid), password, pin }
}

async function updateAgentUser(context: Context, input: ParsedInput<typeof contract.updateAgentUser>['body']) {
  const { uid, bankCode, bankAccount, isActived } = input
  const { name: username, firstName: givenName, lastName: familyName } = input
  const profile = { username, givenName, familyName, phone: parsePhone(input.tel) }
  const isChanged = await editAccount(context, uid, async ({ tx, target, save }) => {
    mustBeAgent(target)
    const status = statusChange(target, isActived, context.now)
    await store.saveAgentBank(tx, uid, { bankCode, bankAccount })
    await save('agent.update', { ...profile, ...status }, { ...profile, status: accountStatusOf(isActived) })
    return status.status !== undefined
  })
  await context.shop.identityProvider.updateUser(uid, { displayName: input.name })
  await publishStatus(context, uid, isActived, isChanged)
  return agentView(context, uid)
}

async function searchUsers(context: Context, name: string) {
  const roles = assignableRoles(context.caller)
  return store.findPeople(context.shop.db, { name, roles, exceptUid: context.uid ?? '', limit: SEARCH_LIMIT })
}

export const agentRoutes: Route[] = [
  route(contract.listAgents, async ({ query }, context) => {
    const { rows, total } = await store.findAgents(context.shop.db, query)
    return { rows: rows.map(row => viewAgent(row, context)), total }
  }),
  route(contract.listTiers, async (_, { shop }) => (await store.findTiers(shop.db)).map(viewTier)),
  route(contract.saveTier, ({ body }, context) => saveTier(context, body)),
  route(contract.mapTier, ({ body }, context) => mapTier(context, body)),
  route(contract.searchUsersForTier, ({ query }, context) => searchUsers(context, query.name ?? '')),
  route(contract.setAgentStatus, ({ body }, context) => setAgentStatus(context, body.uid, body.isActived)),
  route(contract.createAgentUser, ({ body }, context) => createAgentUser(context, body)),
  route(contract.updateAgentUser, ({ body }, context) => updateAgentUser(context, body)),
  ...discountRoutes,
]

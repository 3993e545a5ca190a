import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { accountStatusOf, isActivedOf, parsePhone, showPhone } from '@shop/shared/account/account.ts'
import type { Agent, Tier } from '@shop/shared/agent/endpoints.ts'
import * as contract from '@shop/shared/agent/endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { assignableRoles, canEditAccount } from '@shop/shared/permissions.ts'
import { keysOf } from '@shop/shared/table.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import { editAccount, mustBeKnown, publish } from '../access/management.ts'
import { tellOwner } from '../access/news.ts'
import { moveOpening } from '../access/opening.ts'
import { createOneTimePin, lockPin, setPin } from '../access/pin.ts'
import { type Account, type AccountChange, isEmailOfOther } from '../account/store.ts'
import { audit } from '../audit/store.ts'
import { type Context, type Person, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { type CatalogueChange, changeCatalogue } from '../settings/catalogue-change.ts'
import type { Shop } from '../shop/shop.ts'
import { moveValue } from '../value/moving.ts'
import { discountRoutes } from './discounts.ts'
import * as store from './store.ts'

const SEARCH_LIMIT = 20
/** The list tells what was spent in the last 30 days. */
const SPENT_SECONDS = 30 * 86_400

type Accounts = Pick<Shop, 'db' | 'catalogue' | 'identityProvider' | 'pins'>

/** Returns an agent in the API's form; the ranks decide whether the caller may edit them. */
export const viewAgent = (stored: store.StoredAgent, by: Person): Agent => {
  const { username, givenName, familyName, phone, status, createdAt: _, ...agent } = stored
  return {
    ...agent,
    name: username,
    firstName: givenName,
    lastName: familyName,
    tel: showPhone(phone),
    isActived: isActivedOf(status),
    canEdit: canEditAccount(by, stored),
  }
}

const viewTier = ({ isActive, ...tier }: store.Tier): Tier => ({ ...tier, isActived: isActive })

async function agentView({ db }: Accounts, by: Person, uid: string): Promise<Agent> {
  const agent = await store.findAgent(db, uid)
  invariant(agent, 'accounts are never deleted')
  return viewAgent(agent, by)
}

async function mustBeActiveTier(db: Sql, tierId: number): Promise<void> {
  if (!(await store.findTier(db, tierId))?.isActive) throw new AppError('TIER_NOT_FOUND')
}

type TierInput = ParsedInput<typeof contract.saveTier>['body']

/** The limits that protect the shop's money from one agent or one purchase. */
const LIMITS = {
  maxAmountSatang: 'ยอดสูงสุดในกระเป๋า',
  maxAmountPerOrderSatang: 'ยอดสูงสุดต่อคำสั่งซื้อ',
  maxItemPerOrder: 'จำนวนชิ้นต่อคำสั่งซื้อ',
} as const
type Limit = keyof typeof LIMITS

/** Only admins may change limits, and all admins are told of a change. @throws FORBIDDEN */
async function mustMayLimit(
  { tx, person }: CatalogueChange,
  before: store.Tier | null,
  after: Pick<store.Tier, Limit | 'name'>,
): Promise<void> {
  const changed = keysOf(LIMITS).filter(limit => before?.[limit] !== after[limit])
  if (changed.length === 0) return
  const told = (limit: Limit, tier: Pick<store.Tier, Limit> | null) =>
    !tier ? '-' : limit === 'maxItemPerOrder' ? String(tier[limit]) : formatBahtShort(tier[limit])
  const words = changed.map(limit => `${LIMITS[limit]} ${told(limit, before)} → ${told(limit, after)}`)
  const subject = before ? (`tier:${before.id}` as const) : 'tier:new'
  const note = `${after.name}: ${words.join(' · ')}`
  await moveValue(tx, person, { kind: 'tierLimits', amountSatang: 0, subject, note })
}

/** Writes a tier and its audit entry. @throws TIER_NOT_FOUND, FORBIDDEN */
export async function writeTier(
  change: CatalogueChange,
  tier: Parameters<typeof store.saveTier>[1],
  action: 'tier.save' | 'change.undo',
): Promise<store.Tier> {
  const { tx } = change
  const before = tier.id === undefined ? null : await store.findTier(tx, tier.id)
  await mustMayLimit(change, before, tier)
  const id = await store.saveTier(tx, tier)
  if (id === null) throw new AppError('TIER_NOT_FOUND')
  const after = await store.findTier(tx, id)
  invariant(after, 'the tier was just saved')
  await change.audit({ action, subject: `tier:${id}`, before: before && fieldsOf(before), after: fieldsOf(after) })
  return after
}

/** Returns the fields of a tier that the audit log stores. */
const fieldsOf = ({ id: _, agentCount: _count, ...fields }: store.Tier) => fields

async function saveTier(shop: Accounts, by: Person, { isActived: isActive, ...tier }: TierInput) {
  return viewTier(await changeCatalogue(shop, by, change => writeTier(change, { ...tier, isActive }, 'tier.save')))
}

/**
 * Applies the shop's decision at the identity provider: the switch, the claims, and the end of sessions when they must
 * end.
 */
async function publishStatus(shop: Accounts, uid: string, isActived: boolean, isChanged: boolean): Promise<void> {
  if (isChanged) await shop.identityProvider.updateUser(uid, { isDisabled: !isActived })
  await publish(shop, uid, isChanged)
}

/** Returns the change to a new status, which ends the account's sessions. */
function statusChange(target: Account, isActived: boolean, now: Date): AccountChange {
  const status = accountStatusOf(isActived)
  return target.status === status ? {} : { status, tokensValidAfter: now }
}

async function mapTier(shop: Accounts, by: Person, input: ParsedInput<typeof contract.mapTier>['body']) {
  const { uid, tierId, isActived } = input
  const newPin = createOneTimePin()
  const { pin, isChanged } = await editAccount(shop, by, uid, async ({ tx, target, save }) => {
    mustBeKnown(target)
    if (target.tierId !== tierId) await mustBeActiveTier(tx, tierId)
    // The wallet is locked before the PIN, in the order in which a purchase locks them.
    await store.saveWalletTier(tx, uid, tierId, by.now)
    const hasPin = (await lockPin(tx, uid)) !== null
    const becomesAgent = target.role === 'customer'
    const change: AccountChange = {
      ...statusChange(target, isActived, by.now),
      ...(becomesAgent && { role: 'agent', tokensValidAfter: by.now }),
      ...(!hasPin && { mustChangePin: true }),
    }
    if (!hasPin) await moveOpening(tx, by, uid, 'pinReset')
    if (!hasPin) await tellOwner(tx, { uid, kind: 'pinReset', byShop: true, at: by.now })
    if (!hasPin) await setPin(tx, uid, shop.pins.hash(uid, newPin))
    const shown = { tierId, role: becomesAgent ? 'agent' : target.role, status: accountStatusOf(isActived) } as const
    // An UPDATE without columns is no valid SQL, so the unchanged role is always written.
    await save('agent.mapTier', { role: target.role, ...change }, shown)
    return { pin: hasPin ? null : newPin, isChanged: change.tokensValidAfter !== undefined }
  })
  await publishStatus(shop, uid, isActived, isChanged)
  return { agent: await agentView(shop, by, uid), pin }
}

function mustBeAgent(target: Account): void {
  if (target.role !== 'agent' && target.walletId === null) throw new AppError('AGENT_NOT_FOUND')
}

async function setAgentStatus(shop: Accounts, by: Person, uid: string, isActived: boolean) {
  const isChanged = await editAccount(shop, by, uid, async ({ target, save }) => {
    mustBeAgent(target)
    const change = statusChange(target, isActived, by.now)
    if (!change.status) return false
    await save('agent.setStatus', change, { status: accountStatusOf(isActived) })
    return true
  })
  await publishStatus(shop, uid, isActived, isChanged)
  return agentView(shop, by, uid)
}

type NewAgent = ParsedInput<typeof contract.createAgentUser>['body']

/** The data that the new agent's rows are made from. */
interface AgentDraft {
  uid: string
  email: string
  oneTimePasswordHash: string
  pinHash: string
}

/** Checks everything that can be refused without asking the identity provider. */
async function mustBeCreatable(db: Sql, email: string, { tierId }: NewAgent): Promise<void> {
  if (await isEmailOfOther(db, email, '')) throw new AppError('EMAIL_IN_USE')
  if (tierId !== undefined) await mustBeActiveTier(db, tierId)
}

async function insertAgent(tx: Sql, by: Person, draft: AgentDraft, input: NewAgent): Promise<void> {
  const { uid, email, oneTimePasswordHash, pinHash } = draft
  const { name, firstName, lastName, bankCode, bankAccount, isActived, tierId } = input
  await mustBeCreatable(tx, email, input)
  const names = { username: name, givenName: firstName, familyName: lastName, phone: parsePhone(input.tel) }
  const person = { uid, ...names, email, status: accountStatusOf(isActived) }
  await store.insertAgentAccount(tx, { ...person, oneTimePasswordHash, createdAt: by.now })
  await store.saveAgentBank(tx, uid, { bankCode, bankAccount })
  await setPin(tx, uid, pinHash)
  if (tierId !== undefined) await store.saveWalletTier(tx, uid, tierId, by.now)
  const after = { ...person, bankCode, bankAccount, tierId: tierId ?? null }
  await audit(tx, by, { action: 'agent.create', subject: `account:${uid}`, before: null, after })
}

async function createAgentUser(shop: Accounts, by: Person, input: NewAgent) {
  const { db, identityProvider } = shop
  const { name: displayName, isActived } = input
  const uid = uuidv7()
  const email = input.email.toLowerCase()
  const password = input.password ?? randomBytes(9).toString('base64url')
  const pin = createOneTimePin()
  const [oneTimePasswordHash, pinHash] = [await hash(password), shop.pins.hash(uid, pin)]
  // Input that is invalid or conflicts with the shop's rows is refused before any credentials are created.
  parsePhone(input.tel)
  await mustBeCreatable(db, email, input)
  await identityProvider.createUser({ uid, email, password, displayName })
  const draft = { uid, email, oneTimePasswordHash, pinHash }
  await db
    .transaction(tx => insertAgent(tx, by, draft, input))
    .catch(async error => {
      await identityProvider.deleteUser(uid)
      throw error
    })
  await publishStatus(shop, uid, isActived, !isActived)
  return { agent: await agentView(shop, by, uid), password, pin }
}

async function updateAgentUser(
  shop: Accounts,
  by: Person,
  input: ParsedInput<typeof contract.updateAgentUser>['body'],
) {
  const { uid, bankCode, bankAccount, isActived } = input
  const { name: username, firstName: givenName, lastName: familyName } = input
  const profile = { username, givenName, familyName, phone: parsePhone(input.tel) }
  const isChanged = await editAccount(shop, by, uid, async ({ tx, target, save }) => {
    mustBeAgent(target)
    const status = statusChange(target, isActived, by.now)
    const bank = { bankCode, bankAccount }
    const earlier = await store.findAgentBank(tx, uid)
    await store.saveAgentBank(tx, uid, bank)
    const shown = { ...profile, status: accountStatusOf(isActived), ...bank }
    await save('agent.update', { ...profile, ...status }, shown, earlier)
    return status.status !== undefined
  })
  await shop.identityProvider.updateUser(uid, { displayName: input.name })
  await publishStatus(shop, uid, isActived, isChanged)
  return agentView(shop, by, uid)
}

async function searchUsers({ db }: Accounts, by: Person, name: string) {
  const roles = assignableRoles(by.role)
  return store.findPeople(db, { name, roles, exceptUid: by.uid, limit: SEARCH_LIMIT })
}

/** Returns what a handler needs: the shop and the caller. */
const asked = (context: Context): [Shop, Person] => [context.shop, personOf(context)]

export const agentRoutes: Route[] = [
  route(contract.listAgents, async ({ query }, context) => {
    const since = addSeconds(context.now, -SPENT_SECONDS)
    const { rows, total } = await store.findAgents(context.shop.db, query, since)
    const told = rows.map(({ spentSatang, lastOrderAt, ...row }) => ({
      ...viewAgent(row, personOf(context)),
      spentSatang,
      lastOrderAt: lastOrderAt?.toISOString() ?? null,
    }))
    return { rows: told, total }
  }),
  route(contract.listTiers, async (_, { shop }) => (await store.findTiers(shop.db)).map(viewTier)),
  route(contract.saveTier, ({ body }, context) => saveTier(...asked(context), body)),
  route(contract.mapTier, ({ body }, context) => mapTier(...asked(context), body)),
  route(contract.searchUsersForTier, ({ query }, context) => searchUsers(...asked(context), query.name ?? '')),
  route(contract.setAgentStatus, ({ body }, context) => setAgentStatus(...asked(context), body.uid, body.isActived)),
  route(contract.createAgentUser, ({ body }, context) => createAgentUser(...asked(context), body)),
  route(contract.updateAgentUser, ({ body }, context) => updateAgentUser(...asked(context), body)),
  ...discountRoutes,
]

// `npm run rehearse`: puts the shop online as docs/operations/deploy.md says, without internet, up to the first paid and
// delivered order. Ends in "N passed, M failed".
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { projectRoot, waitFor } from '../os-process.ts'
import { callByName, publishPartner } from './by-name.ts'
import { copyRepository, fillIn, readBlocks, runCommands } from './checkout.ts'
import { type Cloud, enterInternet, makeSecrets, project, settings, startCloud } from './cloud.ts'
import { type Deployment, nameShop, startFunctions, startOneMachine } from './deployment.ts'
import { findFaults } from './functions-log.ts'
import { requireHosting } from './site-checks.ts'
import { countSteps, endWith } from './steps.ts'
import { deliver, fillShop, openInLine, openWalker, order, pay, seeDelivered, signIn, type Walker } from './walk.ts'

const dir = join(projectRoot, '.local', 'rehearsal')
const shopDir = join(dir, 'shop')
const page = join(projectRoot, 'docs/operations/deploy.md')
const owner = { email: 'owner@kram.example', password: 'a long secret of the owner' }
const shownCharacters = 6000
const JOBS_MS = 30_000

const steps = countSteps()
const undo: (() => Promise<void>)[] = []
/** What serves the shop at the moment. */
let deployment: Deployment | undefined
let walker: Walker | undefined

/** Of a run that failed. */
async function tell(): Promise<void> {
  for (const complaint of walker?.complaints ?? []) console.log(complaint)
  await walker?.shoot(join(dir, 'failed'))
  if (deployment) console.log(`\nThe server's last words:\n${deployment.getLog().slice(-shownCharacters)}`)
}
await endWith({ steps, undo, tell }, rehearse)

async function rehearse(): Promise<void> {
  const cloud = await steps.take('an empty database, Google, LINE and a slip provider answer', () =>
    startCloud(join(dir, 'cloud')),
  )
  undo.push(cloud.stop)
  copyRepository(shopDir)
  await publishPartner(cloud)
  const port = await nameShop(cloud, shopDir)
  await enterInternet(cloud.internet)
  await install(cloud, port)
  await steps.take('hosting answers for what is missing and for the health of the server', requireHosting)
  walker = await openWalker(cloud)
  undo.push(walker.stop)
  const admin = await walker.open()
  await steps.take('the first admin signs in', () => signIn(admin, owner.email, owner.password))
  await steps.take('an account, a game, a package and its price are added', () => fillShop(admin))
  await buy(cloud, walker, admin)
  await steps.take("Firebase's own client calls a function by its name from another site", callFunction)
  await requireSound(deployment!)
  await deployment!.stop()
  deployment = await steps.take('on one machine: the packed server as a program starts behind Caddy', () =>
    startOneMachine(cloud, shopDir),
  )
  undo.push(deployment.stop)
  await steps.take('Caddy answers for what is missing and for the health of the server', requireHosting)
  await buy(cloud, walker, admin)
  await requireSound(deployment)
}

function requireNone(faults: string[]): void {
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

/**
 * From an empty folder to a shop that can sell: each block of the page as it stands. What a person writes into the files
 * of deploy/ is written there as soon as the page has made them.
 */
async function install(cloud: Cloud, functionsPort: number): Promise<void> {
  const password = randomBytes(18).toString('base64url')
  const secrets = makeSecrets(cloud.ownerUrl, password)
  const files = { '.env': settings, 'secrets.env': secrets }
  const given = {
    ...cloud.environment,
    OWNER_DATABASE_URL: cloud.ownerUrl,
    SERVER_DATABASE_PASSWORD: password,
    SERVER_DATABASE_URL: secrets.DATABASE_URL,
    ADMIN_EMAIL: owner.email,
  }
  for (const block of readBlocks(page)) {
    if (block === 'deploy') {
      await steps.take('what was built is uploaded, and starts', () => deploy(cloud, functionsPort))
      continue
    }
    const { commands } = block
    const said = await steps.take(commands.trim().replaceAll('\n', '; '), () => runCommands(commands, shopDir, given))
    for (const [name, values] of Object.entries(files)) fillIn(join(shopDir, 'deploy', name), values)
    const code = /[?&]oobCode=([\w-]+)/.exec(said)?.[1]
    if (code) await steps.take('the first admin sets a password', () => setPassword(code))
  }
}

async function deploy(cloud: Cloud, port: number): Promise<void> {
  deployment = await startFunctions(cloud, shopDir, port)
  undo.push(deployment.stop)
}

/** What Firebase's own page does, to which the printed address leads. */
async function setPassword(oobCode: string): Promise<void> {
  const reply = await fetch(`https://identitytoolkit.googleapis.com/v1/accounts:resetPassword?key=${project.apiKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ oobCode, newPassword: owner.password }),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

/** A customer in LINE buys, pays by slip and gets what they bought. */
async function buy(cloud: Cloud, { open }: Walker, admin: Page): Promise<void> {
  const customer = await open({ inLine: true })
  await steps.take('a customer in LINE opens the game', () => openInLine(customer))
  const amount = await steps.take('orders', () => order(customer))
  const orderNo = await steps.take('pays, and the slip proves it', () => pay(customer, amount, cloud))
  await steps.take('the order is delivered', () => deliver(admin, orderNo))
  await steps.take("and the customer's page says so", () => seeDelivered(customer))
  await customer.context().close()
}

async function callFunction(): Promise<void> {
  const reply = await callByName(walker!, owner, 'updateUser', { firstName: 'เจ้าของ', lastName: 'ร้าน' })
  if ((reply as { name?: string }).name !== 'เจ้าของ') throw new Error(JSON.stringify(reply))
}

/** No line of a log or of a browser's console speaks of a fault. */
async function requireSound({ getLog }: Deployment): Promise<void> {
  await steps.take('nothing failed in the log, and every scheduled function ran', async () => {
    // On a busy machine a job may come later than the customer.
    await waitFor(() => findFaults(getLog()).length === 0, JOBS_MS)
    requireNone(findFaults(getLog()))
  })
  await steps.take('no browser complained', () => requireNone(walker?.complaints ?? []))
}

// `npm start`: the whole shop on this machine.
import { join } from 'node:path'
import { ROLES, type Role } from '@shop/shared/permissions.ts'
import { DEMO_PASSWORD, demoAccounts } from './demo-accounts.ts'
import { demoDatabaseUrl } from './demo-database.ts'
import { DEMO_TEST_KEY } from './demo-reseller.ts'
import { DEMO_PIN } from './demo-wallets.ts'
import { projectRoot } from './os-process.ts'
import { type Ports, readPorts } from './ports.ts'
import { type Stack, startStack } from './stack.ts'

/** Milliseconds since 1970: when the command began, whatever it had to install first. */
const began = process.env.BEGAN_AT ? Number(process.env.BEGAN_AT.replace(',', '.')) * 1000 : Date.now()
let stack: Stack | undefined
let isStopping = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
// Whatever breaks in this process, the children and the database server must not stay behind.
process.on('uncaughtException', error => void stop(1, error.stack))

try {
  const ports = readPorts()
  console.log('Starting the shop…')
  stack = await startStack({
    ports,
    localDir: process.env.LOCAL_DIR ?? join(projectRoot, '.local'),
    databaseUrl: process.env.DATABASE_URL,
    onProgress: printProgress,
    onDeath: message => void stop(1, `${message}. Stopping everything.`),
  })
  await stack.ready
  printTable(ports)
} catch (error) {
  await stop(1, error instanceof Error ? error.message : String(error))
}

function printProgress(message: string): void {
  if (!isStopping) console.log(`${getSeconds().padStart(5)} s  ${message}`)
}

function getSeconds(): string {
  return ((Date.now() - began) / 1000).toFixed(1)
}

/** Ends everything and this process. Asked again while it works (npm passes Ctrl-C on a second time), it goes on. */
async function stop(exitCode: number, reason?: string): Promise<void> {
  if (isStopping) return
  isStopping = true
  const stopBegan = performance.now()
  const write = process.stdout.write.bind(process.stdout)
  const say = (text: string) => write(`${text}\n`)
  say(reason ? `\n${reason}` : '\nStopping…')
  // A part that was still starting loses its database now, and would print that with a stack.
  for (const stream of [process.stdout, process.stderr]) stream.write = () => true
  try {
    await stack?.stop()
    if (stack) say(`Stopped in ${((performance.now() - stopBegan) / 1000).toFixed(1)} s.`)
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  process.exit(exitCode)
}

function listEmails(role: Role): string {
  const accounts = demoAccounts.filter(account => account.role === role)
  return accounts.map(account => account.email).join('  ')
}

function printTable(ports: Ports): void {
  if (isStopping) return
  const database = process.env.DATABASE_URL ? 'the server of DATABASE_URL' : demoDatabaseUrl()
  const rows = [
    ['Storefront', `http://localhost:${ports.storefront}`],
    ['Admin site', `http://localhost:${ports.admin}`],
    ['API', `http://localhost:${ports.api}/docs`],
    ["Resellers' API", `http://localhost:${ports.api}/reseller/docs  (test key ${DEMO_TEST_KEY})`],
    [
      'LINE',
      `http://localhost:${ports.lineEmulator}  (phones of a customer and of the staff group; TLS on ${ports.lineEmulatorTls})`,
    ],
    ['Bank', `http://localhost:${ports.slipProvider}  (send money, get its slip; it also checks slips for the shop)`],
    [
      'Payment gateway',
      `http://localhost:${ports.gateway}  (pay QR codes and wallets as in a bank's app; what goes wrong next; GATEWAY=stripe changes it)`,
    ],
    [
      'Suppliers',
      `http://localhost:${ports.supplier}  (SEAGM: delivers Call of Duty by itself; what was bought, what goes wrong next)`,
    ],
    ['', `http://localhost:${ports.gamesDrop}  (GamesDrop: sells the codes of Roblox, in dollars)`],
    [
      "Reseller's machine",
      `http://localhost:${ports.resellerMachine}  (give http://127.0.0.1:${ports.resellerMachine}/hook as a webhook; it shows what arrived)`,
    ],
    ['Mail inbox', `http://localhost:${ports.mailInbox}  (what the shop mailed)`],
    ['Auth emulator', `http://localhost:${ports.authEmulator}  (who has which password)`],
    [
      'Player lookup',
      `port ${ports.playerLookup}  (knows the players of PUBG: 5123456789; as G2Bulk also 5222222222, and all of Free Fire but 0…)`,
    ],
    ['Queue system', `port ${ports.qms}  (the games of the old queue system, for the game form)`],
    ['PostgreSQL', database],
    ['Demo accounts', `password ${DEMO_PASSWORD}, PIN of the agents' wallets ${DEMO_PIN}`],
    ...ROLES.map(role => [`  ${role}`, listEmails(role)]),
  ]
  const width = Math.max(...rows.map(([name]) => name!.length)) + 2
  const lines = rows.map(([name, value]) => `  ${name!.padEnd(width)}${value}`)
  console.log(`\nReady in ${getSeconds()} s. Ctrl-C stops everything.\n\n${lines.join('\n')}\n\n${firstSteps(ports)}\n`)
}

/** The shop's story in three steps; the back office leads through the same ones. */
function firstSteps(ports: Ports): string {
  return `  Three things to try
  1. Buy: open the storefront, choose Free Fire, type any five digits as player, choose the bank transfer, go on to the amount.
  2. Pay: open http://localhost:${ports.slipProvider}, send that amount, and attach the slip on the payment page.
  3. Deliver: sign in at http://localhost:${ports.admin} as staff@demo.shop, open the queue, claim and complete the order.
`
}

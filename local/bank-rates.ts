import { createServer } from 'node:http'
import { type Listening, listen } from './listen.ts'

/** How the stand-in can fail. */
type BankFault = 'silent' | 'html' | 'down' | 'empty'

export interface RunningBank extends Listening {
  /** Baht for one unit of a currency on a day; '' for a day without trade. */
  rates: { period: string; currency_id: string; selling: string }[]
  /** The keys that are accepted. */
  keys: string[]
  fault: BankFault | null
  /** The configuration with which the shop's server asks here. */
  environment: Record<string, string>
}

const KEY = 'demo-bank-key'
const PATH = '/Stat-ExchangeRate/v2/DAILY_AVG_EXG_RATE/'
const LONGEST_DAYS = 31

/**
 * Stands in for the Bank of Thailand's "Average Exchange Rate - THB / Foreign Currency": `GET` with `start_period` and
 * `end_period`, at most 31 days apart, and the key in the header `Authorization`.
 */
export async function startBankRates(options: { port: number; rates?: RunningBank['rates'] }): Promise<RunningBank> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand.in')
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
    if (bank.fault === 'silent') return
    if (bank.fault === 'down') return void send(503, { message: 'unavailable' })
    if (bank.fault === 'html') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>BOT</h1>')
    if (!bank.keys.includes(request.headers.authorization ?? '')) return void send(401, { message: 'invalid key' })
    const [from, to] = [searchParams.get('start_period') ?? '', searchParams.get('end_period') ?? '']
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000
    if (pathname !== PATH || !(days >= 0 && days <= LONGEST_DAYS)) return void send(400, { message: 'bad period' })
    const found = bank.rates.filter(({ period }) => period >= from && period <= to)
    send(200, {
      result: {
        api: 'Daily Average Exchange Rate - THB / Foreign Currency',
        data: { data_detail: bank.fault === 'empty' ? [] : found.map(rate => ({ ...rate, mid_rate: rate.selling })) },
      },
    })
  })
  const listening = await listen(server, options.port)
  const environment = { BOT_API_URL: listening.origin, BOT_API_KEY: KEY }
  const bank: RunningBank = { ...listening, rates: options.rates ?? [], keys: [KEY], fault: null, environment }
  return bank
}

import { setImmediate } from 'node:timers/promises'
import type { Database, Statement } from '../database/database.ts'
import type { Gateway } from '../gateway/provider.ts'
import type { Shop } from '../shop/shop.ts'
import type { Random } from './random.ts'

/** Lets several servers work at the same shop, one step of one of them at a time, in an order that is drawn. */
export interface Turns {
  /** The shop as one of the servers has it. */
  serverOf: (shop: Shop, name: string) => Shop
}

/**
 * A step is a question to the database or the gateway, or a transaction. Each waits until every server has said what it wants next; then it is drawn whose wish is done. So the same seed
 * brings the same order, however busy the machine is. A transaction is one step: what holds between two of them is tried
 * here, and what PostgreSQL keeps apart by its locks is not.
 */
export function openTurns(random: Pick<Random, 'below' | 'tell'>): Turns {
  const wishes: { do: () => Promise<void> }[] = []
  let isAtWork = false

  async function work(): Promise<void> {
    if (isAtWork) return
    isAtWork = true
    // Whoever was answered goes on until their next wish.
    await setImmediate()
    while (wishes.length > 0) {
      const [next] = wishes.splice(random.below(wishes.length), 1)
      await next!.do()
      await setImmediate()
    }
    isAtWork = false
  }

  const inTurn = <T>(step: () => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      wishes.push({ do: () => step().then(resolve, reject) })
      void work()
    })

  const databaseOf = (db: Database): Database => ({
    ...db,
    query: <Row>(statement: Statement<Row>) =>
      inTurn(async () => {
        const rows = await db.query(statement)
        // The jobs that are taken come in the order of PostgreSQL's memory.
        return statement.name === 'outbox_take' ? rows.toSorted(byPayload) : rows
      }),
    transaction: (task, options) => inTurn(() => db.transaction(task, options)),
  })

  function gatewayOf(gateway: Gateway, name: string): Gateway {
    const asked = <T extends { kind: string }>(question: string, ask: () => Promise<T>) =>
      inTurn(() => {
        const answer = ask()
        return answer.then(
          ({ kind }) => {
            random.tell(`${name} ${question}: ${kind}`)
            return answer
          },
          (error: Error) => {
            random.tell(`${name} ${question}: ${error.message}`)
            throw error
          },
        )
      })
    return {
      ...gateway,
      read: reference => asked(`asks about ${reference}`, () => gateway.read(reference)),
      end: reference => asked(`ends ${reference}`, () => gateway.end(reference)),
      list: period => asked('asks for the list', () => gateway.list(period)),
    }
  }

  return {
    serverOf: (shop, name) => ({
      ...shop,
      db: databaseOf(shop.db),
      gateway: shop.gateway && gatewayOf(shop.gateway, name),
    }),
  }
}

const byPayload = (one: unknown, other: unknown): number => {
  const [a, b] = [one, other].map(job => JSON.stringify((job as { payload: object }).payload))
  return a! < b! ? -1 : a! > b! ? 1 : 0
}

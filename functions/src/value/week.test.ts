import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { can } from '@shop/shared/permissions.ts'
import { OPTION } from '@shop/shared/settings/option.ts'
import { VALUE_MOVE_KINDS } from '@shop/shared/value/value.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { callOf } from '../call/route.ts'
import { routes } from '../start/app.ts'
import { QUIET } from '../testing/week/quiet.ts'
import { mostOf, tableOf } from '../testing/week/table.ts'
import { THIEF_ROLES } from '../testing/week/thief.ts'
import { ALL_WAYS } from '../testing/week/ways.ts'
import { type TriedWay, tryWeek } from '../testing/week/week.ts'

const DAY_SUM = OPTION.TWO_PERSON_APPROVAL_AMOUNT.standard * 100
const PAGE = new URL('../../../docs/security.md', import.meta.url)
const MARKS = ['<!-- week -->\n', '\n<!-- /week -->'] as const

const tried: TriedWay[] = []
beforeAll(async () => {
  // Side by side: half of the time goes into waiting for PostgreSQL.
  tried.push(...(await Promise.all(THIEF_ROLES.map(tryWeek))).flat())
}, 1_200_000)

describe('in a week of somebody who steals', () => {
  test('nobody takes more in a day than one person may move alone', () => {
    const tooMuch = tried.filter(each => mostOf(each) > DAY_SUM).map(({ name, role }) => `${role} ${name}`)
    expect(tooMuch).toEqual([])
  })

  test('each day begins anew and brings no more than the one before', () => {
    const grows = tried.filter(({ days, name }) => {
      // The satang that tell transfers apart are drawn.
      const bahtOf = (some: typeof days) => Math.max(...some.map(({ takenSatang }) => Math.floor(takenSatang / 100)))
      return !ALL_WAYS.find(([each]) => each === name)![1].ripens && bahtOf(days) > bahtOf(days.slice(0, 5))
    })
    expect(grows.map(({ name, role }) => `${role} ${name}`)).toEqual([])
  })

  test('each way that is refused meets the refusal that is told of it', () => {
    const unmet = ALL_WAYS.filter(
      ([name, { refusal }]) => refusal && !tried.some(each => each.name === name && each.refused.has(refusal)),
    )
    expect(unmet.map(([name, { refusal }]) => `${name} ${refusal}`)).toEqual([])
  })

  test('every kind of move is tried by some way', () => {
    const kinds = new Set(tried.flatMap(each => [...each.kinds]))
    expect(VALUE_MOVE_KINDS.filter(kind => !kinds.has(kind))).toEqual([])
  })

  test.each(THIEF_ROLES)('all that %s may call and that writes is tried, or moves nothing', role => {
    const called = new Set(tried.filter(each => each.role === role).flatMap(each => [...each.called]))
    const quiet = new Set(QUIET.flatMap(({ calls }) => calls.map(callOf)))
    const writes = routes.flatMap(({ endpoint }) =>
      endpoint.method !== 'GET' && can(role, endpoint.allow) ? [callOf(endpoint)] : [],
    )
    expect(writes.filter(call => !called.has(call) && !quiet.has(call))).toEqual([])
    expect(writes.filter(call => called.has(call) && quiet.has(call))).toEqual([])
  })
})

test('the test that is named for each control is there', () => {
  const missing = ALL_WAYS.filter(
    ([
      ,
      {
        test: [file, name],
      },
    ]) => {
      const path = new URL(`../${file}`, import.meta.url)
      return !existsSync(path) || !readFileSync(path, 'utf8').includes(name)
    },
  )
  expect(missing.map(([name]) => name)).toEqual([])
})

test('docs/security.md tells what was measured; WRITE_DOCS=1 writes it', () => {
  const page = readFileSync(PAGE, 'utf8')
  const [from, to] = [page.indexOf(MARKS[0]), page.indexOf(MARKS[1])]
  expect(from).toBeGreaterThan(0)
  expect(to).toBeGreaterThan(from)
  const written = page.slice(0, from + MARKS[0].length) + tableOf(tried) + page.slice(to)
  if (process.env.WRITE_DOCS) writeFileSync(PAGE, written)
  else expect(page).toBe(written)
})

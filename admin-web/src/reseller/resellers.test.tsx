import { type ListedAgentApi, listAgentApis } from '@shop/shared/reseller/key-endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { listedApi } from '../testing/agent-api.ts'
import { manager } from '../testing/catalogue.ts'
import { renderSite, server } from '../testing/site.tsx'

const none = { calls: 0, errors: 0, orders: 0, spentSatang: 0 }
const quiet: ListedAgentApi = {
  ...listedApi,
  uid: 'u-quiet',
  name: 'ร้านเงียบ',
  keys: 0,
  today: none,
  month: { ...none, calls: 3, errors: 3 },
  lastUsedAt: null,
  webhooks: 0,
}

/** Answers the list, and returns what was asked. */
function serve(rows: ListedAgentApi[] = [listedApi, quiet], total = rows.length): URLSearchParams[] {
  const asked: URLSearchParams[] = []
  server.use(
    fake(listAgentApis, (_, url) => {
      asked.push(url.searchParams)
      return { rows, total, nowDate: '2026-11-20T07:00:00.000Z' }
    }),
  )
  return asked
}
const open = (query = '') => renderSite({ path: `/management/reseller${query}`, me: manager })
const rowOf = async (name: string) => within((await screen.findByRole('link', { name })).closest('tr')!)

test('each agent with calls, what failed, orders and spending, and the link to their page', async () => {
  serve()
  open()
  const busy = await rowOf(listedApi.name)
  busy.getByText('คีย์ใช้จริง 2')
  busy.getByText('1,200')
  busy.getByText('ไม่สำเร็จ 12 (1.0%)')
  busy.getByText('30,000.50')
  busy.getByText('32 คำสั่งซื้อ')
  busy.getByText('900,000.00')
  busy.getByText('20/11/2026 14:00:00')
  busy.getByText('ส่งได้')
  expect(screen.getByRole('link', { name: listedApi.name }).getAttribute('href')).toBe('/management/agent/u-agent')
  const silent = await rowOf(quiet.name)
  silent.getByText('ไม่มีคีย์ใช้จริงที่ใช้งานได้')
  silent.getByText('ยังไม่เคย')
})

test('many failed calls stand out; few do not, and neither do a few of hardly any', async () => {
  serve()
  open()
  const busy = await rowOf(listedApi.name)
  expect(busy.getByText('ไม่สำเร็จ 4,000 (10.0%)').className).toContain('is-warn')
  expect(busy.getByText('ไม่สำเร็จ 12 (1.0%)').className).not.toContain('is-warn')
  expect((await rowOf(quiet.name)).getByText('ไม่สำเร็จ 3 (100.0%)').className).not.toContain('is-warn')
})

test.each([
  [{ webhooks: 1, failingWebhooks: 1 }, 'ส่งไม่ถึง'],
  [{ webhooks: 3, failingWebhooks: 2 }, 'ส่งไม่ถึง 2 จาก 3'],
])('webhooks that fail stand out: %j', async (webhooks, text) => {
  serve([{ ...listedApi, ...webhooks }])
  open()
  expect((await rowOf(listedApi.name)).getByText(text).className).toContain('is-warn')
})

test('the filters and the page stand in the address', async () => {
  const asked = serve([listedApi], 45)
  open('?name=%20สวน&isFailing=true&page=2')
  await screen.findByRole('link', { name: listedApi.name })
  expect(Object.fromEntries(asked[0]!)).toEqual({ name: 'สวน', isFailing: 'true', page: '2', pageSize: '20' })
  fireEvent.click(screen.getByRole('checkbox', { name: 'เฉพาะที่ส่งเหตุการณ์ไม่ถึง' }))
  await waitFor(() => expect(Object.fromEntries(asked.at(-1)!)).toEqual({ name: 'สวน', page: '1', pageSize: '20' }))
  const search = screen.getByRole('textbox', { name: 'ชื่อตัวแทน หรือรหัสคีย์' })
  fireEvent.change(search, { target: { value: 'rk_live_AbCdEfGhIjKlMnOp ' } })
  fireEvent.blur(search)
  await waitFor(() => expect(asked.at(-1)!.get('name')).toBe('rk_live_AbCdEfGhIjKlMnOp'))
  fireEvent.click(screen.getByRole('button', { name: 'ล้างตัวกรอง' }))
  await waitFor(() => expect(Object.fromEntries(asked.at(-1)!)).toEqual({ page: '1', pageSize: '20' }))
})

test.each([
  ['', 'ยังไม่มีตัวแทนที่สร้างคีย์ API'],
  ['?isFailing=true', 'ไม่พบตัวแทนตามตัวกรองนี้'],
])('an empty list says why: %j', async (query, text) => {
  serve([])
  open(query)
  await screen.findByText(text)
})

test('a list that could not be loaded says so and tries again', async () => {
  server.use(fake(listAgentApis, refuse('UNAVAILABLE')))
  open()
  const again = await screen.findByRole('button', { name: 'ลองอีกครั้ง' })
  serve()
  fireEvent.click(again)
  await screen.findByRole('link', { name: listedApi.name })
})

test('who does not manage agents has no such page', async () => {
  renderSite({ path: '/management/reseller' })
  await screen.findByRole('navigation', { name: 'เมนูหลัก' })
  expect(screen.queryByRole('link', { name: 'API ตัวแทน' })).toBeNull()
  expect(screen.queryByRole('region', { name: 'ตัวแทนที่ใช้ API' })).toBeNull()
})

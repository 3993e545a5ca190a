import { changePriceRules, getCosts, getPriceRules, listProductChanges, saveRate } from '@shop/shared/cost/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { manager } from '../testing/catalogue.ts'
import { renderSite, server } from '../testing/site.tsx'

const at = '2026-11-20T07:00:00.000Z'
const usd = {
  currency: 'USD' as const,
  baht: '33.864',
  isFromBank: true,
  byName: null,
  at,
  isOld: true,
  isUsed: true,
}
const sold = { id: 12, gameId: 1, gameName: 'PUBG Mobile', name: '325 UC' }
const state = {
  lists: [{ supplier: 'seagm', readAt: at, failedAt: at, doubtedAt: null, products: 1250 }],
  rates: [usd, { ...usd, currency: 'EUR' as const, baht: null, isOld: false, isUsed: false, at: null }],
  isBankAsked: true,
  stopped: [sold],
  tooDear: [],
  doubted: [],
}
const change = {
  id: '019a9f6e-0000-7000-8000-000000000001',
  supplier: 'seagm',
  sku: '2001',
  name: 'PUBG 325 UC',
  kind: 'costUp' as const,
  fromPrice: '120.00',
  toPrice: '150.50',
  currency: 'THB',
  fromSatang: 12_000,
  toSatang: 15_050,
  at,
  packages: [sold],
}

function openCosts(search = '', asked: URLSearchParams[] = []) {
  server.use(
    fake(getCosts, () => state),
    fake(listProductChanges, (_, url) => {
      asked.push(url.searchParams)
      return { rows: [change], total: 1, nowDate: at }
    }),
  )
  renderSite({ path: `/management/cost${search}`, me: manager })
}

test('the page tells what stopped, how fresh lists and rates are, and what changed; filters are in the address', async () => {
  const asked: URLSearchParams[] = []
  openCosts('?kind=costUp&used=true&supplier=seagm', asked)
  await screen.findByText(/หยุดขาย 1 แพ็กเกจ/)
  expect(screen.getByText('ดึงไม่สำเร็จ ใช้ข้อมูลเดิม')).toBeTruthy()
  expect(screen.getByText('33.864 บาท')).toBeTruthy()
  expect(screen.getByText('เก่า').className).toContain('is-warn')
  await screen.findByText('PUBG 325 UC')
  expect(screen.getByText('150.50 THB')).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'PUBG Mobile 325 UC' })[0]!.getAttribute('href')).toContain('price=12')
  expect(Object.fromEntries(asked[0]!)).toEqual({
    kind: 'costUp',
    used: 'true',
    supplier: 'seagm',
    page: '1',
    pageSize: '20',
  })
})

test('a rate is typed in Thai digits too; one that is passed on to a second manager closes the dialog', async () => {
  const sent: unknown[] = []
  server.use(
    fake(saveRate, body => {
      sent.push(body)
      if (sent.length === 1) throw new AppError('INTERNAL')
      return { ...usd, baht: '34.5' }
    }),
  )
  openCosts()
  fireEvent.click(await screen.findByRole('button', { name: 'แก้อัตรา USD' }))
  const dialog = within(await screen.findByRole('dialog'))
  const type = (value: string) => fireEvent.change(dialog.getByLabelText('1 USD เท่ากับกี่บาท'), { target: { value } })
  type('0')
  fireEvent.click(dialog.getByRole('button', { name: 'บันทึก' }))
  await dialog.findByText('กรุณากรอกจำนวนบาทต่อหนึ่งหน่วย เช่น 34.62')
  type('๓๔.๕')
  fireEvent.click(dialog.getByRole('button', { name: 'บันทึก' }))
  await dialog.findByText('บันทึกไม่สำเร็จ')
  fireEvent.click(dialog.getByRole('button', { name: 'บันทึก' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null))
  expect(sent[1]).toEqual({ currency: 'USD', baht: '34.5', seen: '33.864' })
})

test('rules are previewed with each margin before they are saved, exactly as shown', async () => {
  const sent: Record<string, unknown>[] = []
  const reply = {
    mark: 'mark-1',
    changed: 1,
    needsSecond: 0,
    rows: [
      {
        id: 12,
        name: '325 UC',
        costSatang: 12_000,
        cells: [{ target: 'bank' as const, beforeSatang: 14_900, afterSatang: 12_800 }],
        problem: null,
        needsSecond: false,
      },
      { id: 13, name: '60 UC', costSatang: null, cells: [], problem: 'ไม่ทราบต้นทุน', needsSecond: false },
    ],
  }
  server.use(
    fake(getPriceRules, () => ({
      gameName: 'PUBG Mobile',
      rules: [],
      tiers: [{ id: 1, name: 'Gold' }],
      supplied: 2,
      following: 0,
    })),
    fake(changePriceRules, body => {
      sent.push(body as Record<string, unknown>)
      return reply
    }),
  )
  renderSite({ path: '/management/package/1/rules', me: manager })
  fireEvent.click(await screen.findByRole('switch', { name: 'ใช้กฎกับราคา โอนเงินธนาคาร' }))
  const percent = screen.getByLabelText('บวกจากต้นทุน ราคา โอนเงินธนาคาร')
  fireEvent.change(percent, { target: { value: 'มาก' } })
  fireEvent.click(screen.getByRole('button', { name: 'ดูตัวอย่าง' }))
  await screen.findByText('กรุณาใส่ตัวเลข')
  fireEvent.change(percent, { target: { value: '6.25' } })
  fireEvent.click(screen.getByRole('checkbox', { name: 'ให้ต้นทุนตามราคาผู้จำหน่ายลำดับแรก' }))
  fireEvent.click(screen.getByRole('button', { name: 'ดูตัวอย่าง' }))
  const table = within(await screen.findByLabelText('ตัวอย่างราคาตามกฎ'))
  await table.findByText('กำไร 8.00')
  expect(table.getByText('ไม่เปลี่ยน ไม่ทราบต้นทุน')).toBeTruthy()
  const rules = [{ target: 'bank', basisPoints: 625, fixedSatang: 0, leastSatang: 500, rounding: 'baht' }]
  expect(sent).toEqual([{ gameId: 1, rules, followsCost: true, applies: true }])
  fireEvent.click(screen.getByRole('button', { name: 'บันทึกและปรับราคา 1 แพ็กเกจ' }))
  await screen.findByText('บันทึกกฎและปรับราคา 1 แพ็กเกจแล้ว')
  expect(sent.at(-1)).toEqual({ gameId: 1, rules, followsCost: true, applies: true, mark: 'mark-1' })
})

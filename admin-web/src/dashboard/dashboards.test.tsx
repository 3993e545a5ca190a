import { listManagedGames } from '@shop/shared/catalogue/manage-endpoints.ts'
import * as contract from '@shop/shared/dashboard/endpoints.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { pubg } from '../testing/catalogue.ts'
import { renderSite, server, staff } from '../testing/site.tsx'
import { manager, NOW } from '../testing/statement.ts'
import { seriesOf, slicesOf } from './series.ts'

const days = ['2026-11-14', '2026-11-15', '2026-11-16']
const sold = (packageId: number, packageName: string) => ({
  packageId,
  packageName,
  gameId: 1,
  gameName: 'PUBG Mobile',
  gamePicture: '/a.svg',
})
const sums = {
  totalSale: 12,
  quantity: 15,
  revenueSatang: 200_000,
  costSatang: 90_000,
  uncostedSatang: 100_000,
  feeSatang: 0,
}
const none = { totalSale: 0, quantity: 0, revenueSatang: 0, costSatang: 0, uncostedSatang: 0, feeSatang: 0 }
const sale = (id: number, totalSale: number): contract.PackageSales => ({
  ...sold(id, `แพ็กเกจ ${id}`),
  totalSale,
  details: days.map((period, index) => ({ period, totalSale: index === 0 ? totalSale : 0 })),
})
const manyPackages = Array.from({ length: 40 }, (_, index) => sale(index + 1, 80 - index))

/** The calls of a shop that sold something; what they were asked is kept. */
function shopThatSold(asked: unknown[] = []) {
  server.use(
    fake(listManagedGames, () => []),
    fake(contract.getSale, body => {
      asked.push(body)
      return manyPackages
    }),
    fake(contract.getNumberOfSale, () => [{ ...sold(1, 'แพ็กเกจ 1'), ...sums }]),
    fake(contract.getSalesRevenue, () => ({ ...sums, before: { ...sums, totalSale: 10, revenueSatang: 250_000 } })),
    fake(contract.getTopPackages, () => [{ ...sold(1, 'แพ็กเกจ 1'), ...sums }]),
    fake(contract.getDailyRevenue, () => [{ gameId: 1, gameName: 'PUBG Mobile', revenueSatang: 200_000, details: [] }]),
    fake(contract.getRevenueSteps, () => days.map(period => ({ period, revenueSatang: 50_000, beforeSatang: 40_000 }))),
    fake(contract.getChannelSales, () => [
      { channel: 'reseller' as const, totalSale: 9, revenueSatang: 150_000 },
      { channel: 'guest' as const, totalSale: 3, revenueSatang: 50_000 },
    ]),
    fake(contract.getResellerSales, () => [
      { kind: 'reseller' as const, uid: 'r1', name: 'ร้านเอ', count: 1, totalSale: 5, revenueSatang: 100_000 },
      { kind: 'others' as const, uid: null, name: null, count: 12, totalSale: 4, revenueSatang: 50_000 },
      { kind: 'none' as const, uid: null, name: null, count: 1, totalSale: 3, revenueSatang: 50_000 },
    ]),
    fake(contract.getSaleType, () => [{ id: 1, name: 'PUBG Mobile', revenueSatang: 200_000 }]),
  )
}
const part = async (name: string) => within(await screen.findByRole('region', { name }))

test('the numbers stand beside those before, in words; what has no cost is told', async () => {
  shopThatSold()
  renderSite({ path: '/dashboard/sale', me: manager })
  const figures = await part('ภาพรวม')
  await figures.findByText('฿2,000.00')
  figures.getByText('ลดลง 20.0%')
  figures.getByText('เพิ่มขึ้น 20.0%')
  figures.getByText('฿100.00')
  const steps = within(await (await part('รายได้ (บาท)')).findByRole('list', { name: 'รายได้แต่ละช่วง' }))
  expect(steps.getAllByRole('listitem').map(({ textContent }) => textContent)[0]).toBe(
    '14 พ.ย. 500.00 บาท 7 วันก่อน 400.00 บาท',
  )
  figures.getByText('10.0%')
  expect(screen.queryByText(/ค่าธรรมเนียมรับชำระ/)).toBeNull()
  figures.getByText(/ไม่ทราบต้นทุน/)
  expect(figures.getAllByText('เทียบ 7 วันก่อน')).toHaveLength(3)
})

test('the fees of getting paid stand by themselves, and the margin is less by them; without any there is no word of them', async () => {
  shopThatSold()
  const paid = { ...sums, feeSatang: 3_000 }
  server.use(
    fake(contract.getSalesRevenue, () => ({ ...paid, before: sums })),
    fake(contract.getNumberOfSale, () => [{ ...sold(1, 'แพ็กเกจ 1'), ...paid }]),
  )
  renderSite({ path: '/dashboard/sale', me: manager })
  const figures = await part('ภาพรวม')
  await figures.findByText('ค่าธรรมเนียมรับชำระ')
  figures.getByText('฿30.00')
  figures.getByText('1.5%')
  // 1,000 with a cost of 900, less 30.
  figures.getByText('฿70.00')
  figures.getByText('7.0%')
  figures.getByText('฿900.00')
  const table = await part('ยอดขายรายแพ็กเกจ')
  expect(table.getAllByText('ค่าธรรมเนียมรับชำระ (บาท)').length).toBeGreaterThan(0)
  table.getByText('70.00')
})

test('what is chosen is shown when asked for, stands in the address, and is asked again by the same button', async () => {
  const asked: unknown[] = []
  shopThatSold(asked)
  renderSite({ path: '/dashboard/sale?period=thisyear', me: manager })
  await waitFor(() => expect(asked).toEqual([{ game: 'all', period: 'thisyear', paymentMethod: 'all' }]))
  await (await part('สัดส่วนยอดขาย')).findByText('100.0%')
  fireEvent.click(screen.getByText('วันนี้'))
  await waitFor(() => expect(asked.at(-1)).toEqual({ game: 'all', period: 'today', paymentMethod: 'all' }))
  fireEvent.click(screen.getByRole('button', { name: /รีเฟรช/ }))
  await waitFor(() => expect(asked).toHaveLength(3))
})

test('of forty packages five have a line, the rest one; the table has all, and a line can be put away', async () => {
  shopThatSold()
  renderSite({ path: '/dashboard/sale', me: manager })
  const card = await part('จำนวนที่ขาย แยกตามแพ็กเกจ')
  const legend = within(await card.findByRole('list', { name: 'เส้นในกราฟ' }))
  expect(legend.getAllByRole('button')).toHaveLength(6)
  const others = legend.getByRole('button', { name: /อื่น ๆ \(35\)/ })
  expect(others.getAttribute('aria-pressed')).toBe('false')
  fireEvent.click(others)
  expect(others.getAttribute('aria-pressed')).toBe('true')
  fireEvent.click(card.getByText('ตาราง'))
  expect(card.getAllByRole('row')).toHaveLength(41)
  card.getByRole('columnheader', { name: '14 พ.ย.' })
})

const searchOf = (link: HTMLElement) => new URL((link as HTMLAnchorElement).href).searchParams

test('channels and resellers are ranked with their parts, and each name leads to the orders behind its number', async () => {
  shopThatSold()
  renderSite({ path: '/dashboard/sale?period=today&paymentMethod=wallet', me: manager })
  const resellers = await part('รายได้ตามตัวแทน (บาท)')
  const named = await resellers.findByRole('link', { name: 'ร้านเอ' })
  resellers.getByText('5 คำสั่งซื้อ · 50.0%')
  resellers.getByText('ตัวแทนอื่น (12)')
  resellers.getByText('ไม่ผ่านตัวแทน')
  expect(resellers.getAllByRole('link')).toHaveLength(1)
  const today = bangkokDay(new Date())
  expect(Object.fromEntries(searchOf(named))).toMatchObject({
    month: 'all',
    sort: 'paidAt',
    paidFrom: today,
    paidTo: today,
    payment: 'wallet',
    channel: 'reseller',
    buyer: 'r1',
  })
  expect(searchOf(named).getAll('status')).toEqual(['paid', 'processing', 'success', 'failed'])
  const channels = await part('รายได้ตามช่องทาง (บาท)')
  expect(searchOf(channels.getByRole('link', { name: 'ไม่เข้าสู่ระบบ' })).get('channel')).toBe('guest')
  const game = (await part('รายได้ตามเกม (บาท)')).getByRole('link', { name: 'PUBG Mobile' })
  expect(searchOf(game).get('game')).toBe('1')
  const sold = (await part('ยอดขายรายแพ็กเกจ')).getByRole('link', { name: 'แพ็กเกจ 1' })
  expect(searchOf(sold).get('package')).toBe('1')
})

test('a shop that sold nothing says so in every chart; a call that fails is tried again on its own', async () => {
  shopThatSold()
  server.use(
    fake(contract.getSale, () => []),
    fake(contract.getSaleType, refuse('INTERNAL'), { once: true }),
    fake(contract.getSalesRevenue, () => ({ ...none, before: none })),
  )
  renderSite({ path: '/dashboard/sale', me: manager })
  await (await part('จำนวนที่ขาย แยกตามแพ็กเกจ')).findByText('ไม่พบข้อมูล')
  await (await part('ภาพรวม')).findAllByText(/ไม่มียอดขาย/)
  const shares = await part('สัดส่วนยอดขาย')
  fireEvent.click(await shares.findByRole('button', { name: 'ลองอีกครั้ง' }))
  await shares.findByText('100.0%')
})

test('a game of the address is shown by its name alone, never by its number', async () => {
  shopThatSold()
  let tell = () => {}
  const told = new Promise<void>(resolve => {
    tell = resolve
  })
  server.use(
    fake(listManagedGames, async () => {
      await told
      return []
    }),
  )
  renderSite({ path: '/dashboard/sale?game=57', me: manager })
  await screen.findByText('฿2,000.00')
  expect(screen.queryByText('57')).toBeNull()
  tell()
  await screen.findByText('ไม่พบเกมที่ระบุไว้ในที่อยู่ของหน้านี้ กรุณาเลือกเกม')
})

test('games that cannot be loaded are said beside their select, and asked for again', async () => {
  shopThatSold()
  server.use(
    fake(listManagedGames, refuse('INTERNAL'), { once: true }),
    fake(listManagedGames, () => [pubg]),
  )
  renderSite({ path: '/dashboard/sale', me: manager })
  const alert = within((await screen.findByText('โหลดรายชื่อเกมไม่สำเร็จ')).closest<HTMLElement>('[role=alert]')!)
  fireEvent.click(alert.getByRole('button', { name: 'ลองอีกครั้ง' }))
  await waitFor(() => expect(screen.queryByText('โหลดรายชื่อเกมไม่สำเร็จ')).toBeNull())
})

test.each(['sale', 'stock'])('%s: a game that does not exist is said, and draws no empty cards', async page => {
  shopThatSold()
  server.use(
    fake(listManagedGames, () => [pubg]),
    fake(contract.listExpiringPrices, () => ({ rows: [], total: 0, nowDate: NOW })),
  )
  renderSite({ path: `/dashboard/${page}?game=57`, me: manager })
  await screen.findByText('ไม่พบเกมที่ระบุไว้ในที่อยู่ของหน้านี้ กรุณาเลือกเกม')
  expect(screen.queryByRole('region', { name: 'ภาพรวม' })).toBeNull()
  expect(screen.queryByText('ไม่พบข้อมูล')).toBeNull()
})

test('an address that names nothing known asks for criteria instead of the server', async () => {
  const asked: unknown[] = []
  shopThatSold(asked)
  renderSite({ path: '/dashboard/sale?period=lastcentury', me: manager })
  expect(await screen.findAllByText('กรุณาเลือกเกม ช่วงเวลา และวิธีชำระเงินให้ครบ')).toHaveLength(1)
  expect(asked).toEqual([])
  fireEvent.click(screen.getByText('7 วัน'))
  await waitFor(() => expect(asked).toHaveLength(1))
})

test('staff see neither dashboard', async () => {
  renderSite({ path: '/dashboard/sale', me: staff })
  await screen.findByText('ขออภัย คุณไม่ได้รับอนุญาตให้เข้าถึงหน้านี้')
})

const expiring: contract.ExpiringPrice = {
  packageId: 11,
  packageName: '60 UC',
  gameId: 1,
  gameName: 'PUBG Mobile',
  paymentMethod: 'wallet',
  priceSatang: 3_300,
  expiredDate: '2026-11-22',
  daysLeft: 2,
}

test('a price that ends soon says when and leads to its prices; without any there is nothing', async () => {
  const asked: string[] = []
  server.use(
    fake(listManagedGames, () => []),
    fake(contract.listExpiringPrices, (_, url) => {
      asked.push(url.searchParams.get('period')!)
      const rows = asked.length === 1 ? [expiring] : []
      return { rows, total: rows.length, nowDate: NOW }
    }),
  )
  renderSite({ path: '/dashboard/stock', me: manager })
  const link = await screen.findByRole('link', { name: 'ราคาขายของ 60 UC' })
  expect(link.getAttribute('href')).toBe('/management/package/1?name=60+UC&price=11')
  screen.getByText('22/11/2026')
  screen.getByText('เหลือ 2 วัน')
  fireEvent.click(screen.getByText('ปีนี้'))
  await screen.findByText('ไม่พบข้อมูล')
  expect(asked).toEqual(['last7days', 'thisyear'])
})

test('a stock list that fails is tried again', async () => {
  server.use(
    fake(listManagedGames, () => []),
    fake(contract.listExpiringPrices, refuse('INTERNAL'), { once: true }),
    fake(contract.listExpiringPrices, () => ({ rows: [expiring], total: 1, nowDate: NOW })),
  )
  renderSite({ path: '/dashboard/stock', me: manager })
  fireEvent.click(await screen.findByRole('button', { name: 'ลองอีกครั้ง' }))
  await screen.findByText('60 UC')
})

test('what is drawn together is what it adds up to', () => {
  const series = seriesOf(manyPackages)
  expect(series.reduce((sum, { total }) => sum + total, 0)).toBe(
    manyPackages.reduce((sum, each) => sum + each.totalSale, 0),
  )
  expect(series.at(-1)!.details[0]!.totalSale).toBe(series.at(-1)!.total)
  const shares = manyPackages.map(({ packageId, packageName, totalSale }) => ({
    id: packageId,
    name: packageName,
    revenueSatang: totalSale,
  }))
  expect(slicesOf(shares).reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
  expect(seriesOf(manyPackages.slice(0, 6))).toHaveLength(6)
})

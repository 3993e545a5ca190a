import { expect, test } from 'vitest'
import { listMenu } from './menu.ts'

const list = (caller: Parameters<typeof listMenu>[0]) => {
  const { main, groups } = listMenu(caller, 'https://admin.example')
  return { main: main.map(({ to }) => to), staff: groups.flatMap(({ entries }) => entries) }
}

test('guests buy, customers also look back, and whoever has a wallet finds it', () => {
  expect(list('guest').main).toEqual(['/game'])
  expect(list('customer').main).toEqual(['/game', '/purchase/history'])
  for (const role of ['agent', 'staff', 'manager'] as const) expect(list(role).main).toContain('/wallet')
})

test('only those who work for the shop see staff pages, all of them on the admin site', () => {
  for (const role of ['guest', 'customer', 'agent'] as const) expect(list(role).staff).toEqual([])
  const paths = list('manager').staff.map(({ to, external }) => external && new URL(to))
  expect(paths.every(url => url && url.origin === 'https://admin.example')).toBe(true)
})

test('a page that the role may not open is not offered', () => {
  const labels = (role: 'staff' | 'manager') => list(role).staff.map(({ label }) => label)
  expect(labels('staff')).toContain('คำสั่งซื้อทั้งหมด')
  expect(labels('staff')).not.toContain('ตั้งค่าระบบ')
  expect(labels('staff')).not.toContain('ยอดขาย')
  expect(labels('manager')).toEqual(expect.arrayContaining(['คำสั่งซื้อทั้งหมด', 'ตั้งค่าระบบ', 'ยอดขาย']))
})

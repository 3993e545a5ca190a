import { listLanguages, listPlatforms, listRegions } from '@shop/shared/catalogue/endpoints.ts'
import { saveGameTags } from '@shop/shared/catalogue/manage-endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const manager = { ...staff, uid: 'u-manager', role: 'manager' as const }
const regions = [
  { code: 'th', name: 'ไทย' },
  { code: 'sea', name: 'เอเชียตะวันออกเฉียงใต้' },
]

async function openRegions() {
  server.use(
    fake(listRegions, () => regions),
    fake(listLanguages, () => []),
    fake(listPlatforms, () => []),
  )
  renderSite({ path: '/management/appconfig?section=tags', me: manager })
  const list = within(await screen.findByRole('region', { name: 'ภูมิภาค' }))
  await list.findByLabelText('ชื่อของ ไทย')
  return list
}

type List = Awaited<ReturnType<typeof openRegions>>

function answerSaves(answer: (tags: typeof regions) => typeof regions) {
  const sent: unknown[] = []
  server.use(
    fake(saveGameTags, body => {
      sent.push(body)
      return answer((body as { tags: typeof regions }).tags)
    }),
  )
  return sent
}

const type = (list: List, label: string, value: string) =>
  fireEvent.change(list.getByLabelText(label), { target: { value } })
const save = (list: List) => fireEvent.click(list.getByRole('button', { name: 'บันทึก ภูมิภาค' }))

test('a list is changed in place and saved as a whole, in order', async () => {
  const sent = answerSaves(tags => tags)
  const list = await openRegions()
  expect(list.queryByRole('button', { name: 'บันทึก ภูมิภาค' })).toBeNull()
  type(list, 'ชื่อของ ไทย', 'ประเทศไทย')
  fireEvent.click(list.getByRole('button', { name: 'เพิ่มภูมิภาค' }))
  type(list, 'รหัสของ ภูมิภาคใหม่', 'jp')
  type(list, 'ชื่อของ jp', 'ญี่ปุ่น')
  fireEvent.click(list.getByRole('button', { name: 'เลื่อน ญี่ปุ่น ขึ้น' }))
  save(list)
  await screen.findByText('บันทึกข้อมูลสำเร็จ!')
  const tags = [{ code: 'th', name: 'ประเทศไทย' }, { code: 'jp', name: 'ญี่ปุ่น' }, regions[1]]
  expect(sent).toEqual([{ kind: 'region', tags, seen: regions }])
  expect(list.queryByRole('button', { name: 'บันทึก ภูมิภาค' })).toBeNull()
})

test('a code that games may have can not be retyped', async () => {
  const list = await openRegions()
  list.getByText('th')
  expect(list.queryByLabelText('รหัสของ ไทย')).toBeNull()
})

test('a code that is none or there twice, and a missing name, are said at their fields', async () => {
  const sent = answerSaves(tags => tags)
  const list = await openRegions()
  fireEvent.click(list.getByRole('button', { name: 'เพิ่มภูมิภาค' }))
  save(list)
  await list.findByText('รหัสเป็น a-z 0-9 หรือ - ไม่เกิน 20 ตัว')
  list.getByText('กรุณากรอกชื่อ')
  type(list, 'รหัสของ ภูมิภาคใหม่', 'th')
  expect(list.getAllByText('รหัส th ซ้ำ')).toHaveLength(2)
  expect(sent).toEqual([])
})

test('a tag that games still have can not go: the games are named and nothing is lost', async () => {
  answerSaves(refuse('TAG_IN_USE', { values: { games: 'PUBG, ROV' }, details: { games: ['PUBG', 'ROV'] } }))
  const list = await openRegions()
  type(list, 'ชื่อของ เอเชียตะวันออกเฉียงใต้', 'เอเชีย')
  fireEvent.click(list.getByRole('button', { name: 'ลบ ไทย' }))
  save(list)
  await list.findByText('ลบไม่ได้ ยังมีเกมที่ใช้อยู่: PUBG, ROV')
  list.getByText('บันทึกข้อมูลไม่สำเร็จ!')
  list.getByLabelText('ชื่อของ เอเชีย')
  expect(list.queryByLabelText('ชื่อของ ไทย')).toBeNull()
  fireEvent.click(list.getByRole('button', { name: 'ยกเลิก ภูมิภาค' }))
  list.getByLabelText('ชื่อของ ไทย')
  list.getByLabelText('ชื่อของ เอเชียตะวันออกเฉียงใต้')
})

test('a list that somebody else changed first is shown beside one’s own, and can be saved over', async () => {
  const current = [{ code: 'th', name: 'ราชอาณาจักรไทย' }]
  const by = { updatedByName: 'วิภา ผู้จัดการ', updatedAt: '2026-11-20T07:00:00.000Z' }
  answerSaves(refuse('CONFLICT', { details: { current, by } }))
  const list = await openRegions()
  type(list, 'ชื่อของ ไทย', 'ประเทศไทย')
  save(list)
  await list.findByText('ราชอาณาจักรไทย (th)')
  list.getByText('วิภา ผู้จัดการ แก้ไขไปก่อนแล้ว')
  list.getByText('ประเทศไทย (th), เอเชียตะวันออกเฉียงใต้ (sea)')
  const sent = answerSaves(tags => tags)
  fireEvent.click(list.getByRole('button', { name: 'บันทึกค่าของฉันทับ' }))
  await screen.findByText('บันทึกข้อมูลสำเร็จ!')
  expect(sent).toMatchObject([{ seen: current, tags: [{ code: 'th', name: 'ประเทศไทย' }, regions[1]] }])
})

test('leaving asks, naming the lists that are not saved', async () => {
  const list = await openRegions()
  fireEvent.click(list.getByRole('button', { name: 'ลบ ไทย' }))
  fireEvent.click(screen.getByRole('link', { name: 'ตั้งค่าร้าน' }))
  await screen.findByText('ยังไม่บันทึก: ภูมิภาค')
})

test('a list that could not be loaded is asked for again on request', async () => {
  server.use(
    fake(listRegions, refuse('INTERNAL')),
    fake(listLanguages, () => []),
    fake(listPlatforms, () => []),
  )
  renderSite({ path: '/management/appconfig?section=tags', me: manager })
  const list = within(await screen.findByRole('region', { name: 'ภูมิภาค' }))
  fireEvent.click(await list.findByRole('button', { name: 'ลองอีกครั้ง' }, { timeout: 20_000 }))
  server.use(fake(listRegions, () => regions))
  fireEvent.click(await list.findByRole('button', { name: 'ลองอีกครั้ง' }))
  await list.findByLabelText('ชื่อของ ไทย')
})

import {
  listManagedBanners,
  listManagedGames,
  type ManagedBanner,
  reorderBanners,
  saveBanner,
} from '@shop/shared/catalogue/manage-endpoints.ts'
import { uploadBanner } from '@shop/shared/catalogue/picture-endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const admin = { ...staff, uid: 'u-admin', role: 'admin' as const }

const banner = (id: number, description: string): ManagedBanner => ({
  id,
  no: id,
  description,
  picture: `/files/pictures/${id}.webp`,
  gameId: null,
  isActive: true,
  version: 2,
  updatedAt: null,
  updatedByName: null,
})
const banners = [banner(1, 'ซีซันใหม่'), banner(2, 'พร้อมเพย์'), banner(3, '')]

async function openSection(given = banners) {
  server.use(
    fake(listManagedBanners, () => given),
    fake(listManagedGames, () => []),
  )
  renderSite({ path: '/management/appconfig?section=banner', me: admin })
  return within(await screen.findByRole('region', { name: 'Banner หน้าแรก' }))
}

async function openDialog(button: RegExp) {
  const section = await openSection()
  const opener = await section.findByRole('button', { name: button })
  await waitFor(() => expect(opener.hasAttribute('disabled')).toBe(false))
  fireEvent.click(opener)
  return within(await screen.findByRole('dialog'))
}

type Dialog = Awaited<ReturnType<typeof openDialog>>

const save = (form: Dialog) => fireEvent.click(form.getByRole('button', { name: 'บันทึก' }))
const describe = (form: Dialog, value: string) =>
  fireEvent.change(form.getByLabelText('คำอธิบาย'), { target: { value } })

async function choose(name: string) {
  const input = document.querySelector<HTMLInputElement>('[role=dialog] input[type=file]')!
  fireEvent.change(input, { target: { files: [new File(['x'], name, { type: 'image/png' })] } })
}

function answerSaves(answer: () => ManagedBanner) {
  const sent: unknown[] = []
  server.use(
    fake(saveBanner, body => {
      sent.push(body)
      return answer()
    }),
  )
  return sent
}

test('the table shows picture, words and status in order', async () => {
  const section = await openSection()
  await section.findByText('ซีซันใหม่')
  expect(section.getAllByRole('img').map(picture => picture.getAttribute('alt'))).toEqual([
    'ซีซันใหม่',
    'พร้อมเพย์',
    'Banner 3',
  ])
  section.getByRole('button', { name: 'แก้ไข Banner 3' })
})

test('a new banner needs a picture', async () => {
  const form = await openDialog(/เพิ่ม Banner/)
  form.getByText('แนะนำขนาด 1000x500 พิกเซล เฉพาะไฟล์รูปภาพ')
  save(form)
  await form.findByText('กรุณาแนบรูป')
  await waitFor(() => expect(document.activeElement).toBe(form.getByRole('button', { name: 'แนบรูป' })))
})

test('a picture that the server refuses leads back to its button', async () => {
  server.use(
    fake(saveBanner, () => {
      throw new AppError('INVALID_INPUT', { fields: { picture: 'รูปนี้ใช้ไม่ได้' } })
    }),
  )
  const form = await openDialog(/^แก้ไข ซีซันใหม่/)
  describe(form, 'ลดราคา')
  save(form)
  await form.findByText('รูปนี้ใช้ไม่ได้')
  await waitFor(() => expect(document.activeElement).toBe(form.getByRole('button', { name: 'เปลี่ยนรูป' })))
})

test('a picture is sent when it is chosen, and the banner with its address', async () => {
  server.use(fake(uploadBanner, () => ({ url: '/files/pictures/new.webp' })))
  const sent = answerSaves(() => banner(4, 'ลดราคา'))
  const form = await openDialog(/เพิ่ม Banner/)
  await choose('sale.png')
  await form.findByText('sale.png file uploaded successfully')
  form.getByRole('img', { name: 'รูปที่เลือก' })
  describe(form, 'ลดราคา\nวันนี้')
  form.getByText('13 / 100')
  save(form)
  await screen.findByText('บันทึก Banner สำเร็จ')
  expect(sent).toEqual([
    { picture: '/files/pictures/new.webp', description: 'ลดราคา วันนี้', gameId: null, isActive: true },
  ])
})

test('a file that is no picture is refused, and the picture there was can be brought back', async () => {
  server.use(fake(uploadBanner, refuse('PICTURE_NOT_IMAGE')))
  const sent = answerSaves(() => banner(1, 'ซีซันใหม่'))
  const form = await openDialog(/^แก้ไข ซีซันใหม่/)
  await choose('menu.png')
  await form.findByText(/menu.png file upload failed. ไฟล์ต้องเป็นรูปภาพ/)
  save(form)
  await form.findByText('กรุณาแนบรูป')
  expect(sent).toEqual([])
  fireEvent.click(form.getByRole('button', { name: 'ใช้รูปเดิม' }))
  save(form)
  await screen.findByText('บันทึก Banner สำเร็จ')
  expect(sent).toMatchObject([{ id: 1, version: 2, picture: '/files/pictures/1.webp' }])
})

test('a save that fails says why and keeps the words', async () => {
  answerSaves(refuse('INTERNAL'))
  const form = await openDialog(/^แก้ไข ซีซันใหม่/)
  describe(form, 'ซีซัน 5')
  save(form)
  await form.findByText('บันทึกข้อมูลไม่สำเร็จ')
  expect(form.getByLabelText<HTMLTextAreaElement>('คำอธิบาย').value).toBe('ซีซัน 5')
})

test('after another admin, both banners are shown and one’s own can be saved over theirs', async () => {
  const current = { ...banner(1, 'ซีซันหน้า'), version: 3, picture: '/files/pictures/9.webp', updatedByName: 'ชูใจ' }
  answerSaves(refuse('CONFLICT', { details: { current } }))
  const form = await openDialog(/^แก้ไข ซีซันใหม่/)
  describe(form, 'ซีซัน 5')
  save(form)
  await form.findByText('ชูใจ แก้ไขไปก่อนแล้ว')
  expect(
    form.getAllByRole('cell').map(cell => cell.querySelector('img')?.getAttribute('src') ?? cell.textContent),
  ).toEqual(['/files/pictures/9.webp', '/files/pictures/1.webp', 'ซีซันหน้า', 'ซีซัน 5'])
  const sent = answerSaves(() => current)
  fireEvent.click(form.getByRole('button', { name: 'บันทึกค่าของฉันทับ' }))
  await screen.findByText('บันทึก Banner สำเร็จ')
  expect(sent).toMatchObject([{ id: 1, version: 3, description: 'ซีซัน 5' }])
})

test('their picture takes the place of the one that was chosen', async () => {
  server.use(fake(uploadBanner, () => ({ url: '/files/pictures/new.webp' })))
  const current = { ...banner(1, 'ซีซันหน้า'), version: 3, picture: '/files/pictures/9.webp' }
  answerSaves(refuse('CONFLICT', { details: { current } }))
  const form = await openDialog(/^แก้ไข ซีซันใหม่/)
  await choose('sale.png')
  await form.findByText('sale.png file uploaded successfully')
  save(form)
  fireEvent.click(await form.findByRole('button', { name: 'ใช้ค่าล่าสุด' }))
  const shown = await form.findByRole('img', { name: 'รูปปัจจุบัน' })
  expect(shown.getAttribute('src')).toBe('/files/pictures/9.webp')
  expect(form.getByLabelText<HTMLTextAreaElement>('คำอธิบาย').value).toBe('ซีซันหน้า')
})

test('banners get a new order', async () => {
  const sent: unknown[] = []
  const dialog = await openDialog(/จัดเรียง Banner/)
  server.use(
    fake(reorderBanners, body => {
      sent.push(body)
      return [banners[1]!, banners[0]!, banners[2]!]
    }),
  )
  fireEvent.click(dialog.getByRole('button', { name: 'เลื่อน ซีซันใหม่ ลง' }))
  save(dialog)
  await screen.findByText('จัดเรียง Banner สำเร็จ')
  const order = [2, 1, 3].map((id, index) => ({ id, no: index + 1 }))
  expect(sent).toEqual([{ order, seen: { ids: [1, 2, 3], firstNo: 1, total: 3 } }])
})

test('an order that could not be saved says so and stays', async () => {
  const dialog = await openDialog(/จัดเรียง Banner/)
  server.use(fake(reorderBanners, refuse('INTERNAL')))
  fireEvent.click(dialog.getByRole('button', { name: 'เลื่อน Banner 3 ขึ้น' }))
  save(dialog)
  await dialog.findByText('จัดเรียง Banner ไม่สำเร็จ กรุณาลองอีกครั้ง')
  expect(dialog.getAllByRole('listitem').map(row => row.textContent)).toEqual(['1ซีซันใหม่', '2Banner 3', '3พร้อมเพย์'])
})

import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { SlipPicker } from './slip-picker.tsx'

function Form() {
  const [file, setFile] = useState<File | null>(null)
  return <SlipPicker label="แนบสลิป" help="รูปภาพ 1 ไฟล์" file={file} onChange={setFile} />
}
const pick = (name: string, type: string) =>
  fireEvent.change(screen.getByLabelText(/แนบสลิป/), { target: { files: [new File(['x'], name, { type })] } })

test('a picture is shown and can be removed; anything else is refused in words', async () => {
  render(<Form />)
  pick('statement.pdf', 'application/pdf')
  expect(screen.getByText('เลือกได้เฉพาะไฟล์รูปภาพ')).toBeTruthy()
  expect(screen.queryByAltText('ตัวอย่างสลิป')).toBeNull()
  pick('slip.jpg', 'image/jpeg')
  expect(screen.getByAltText('ตัวอย่างสลิป')).toBeTruthy()
  expect(screen.queryByText('เลือกได้เฉพาะไฟล์รูปภาพ')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'ดูสลิปที่แนบ' }))
  expect(await screen.findByRole('dialog', { name: 'สลิปที่แนบ' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'ปิด' }))
  fireEvent.click(screen.getByRole('button', { name: 'ลบรูปสลิป' }))
  expect(screen.queryByAltText('ตัวอย่างสลิป')).toBeNull()
})

test('a file that only calls itself a picture is not drawn as a broken one', () => {
  render(<Form />)
  pick('text.png', 'image/png')
  fireEvent.error(screen.getByAltText('ตัวอย่างสลิป'))
  expect(screen.queryByAltText('ตัวอย่างสลิป')).toBeNull()
  pick('slip.jpg', 'image/jpeg')
  expect(screen.getByAltText('ตัวอย่างสลิป')).toBeTruthy()
})

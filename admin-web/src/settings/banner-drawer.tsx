import { listManagedBanners, type ManagedBanner, saveBanner } from '@shop/shared/catalogue/manage-endpoints.ts'
import { uploadBanner } from '@shop/shared/catalogue/picture-endpoints.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Form, Input, Switch } from 'antd'
import { useUndoable } from '../audit/use-undoable.tsx'
import { PictureUpload } from '../upload/picture-upload.tsx'
import { RowDrawer } from './row-drawer.tsx'

interface Values {
  picture: string | null
  description: string
  isActive: boolean
}

const labels = { picture: 'รูป Banner', description: 'คำอธิบาย', isActive: 'ใช้งาน' }

const valuesOf = (banner: ManagedBanner | null): Values => ({
  picture: banner?.picture ?? null,
  description: banner?.description ?? '',
  isActive: banner?.isActive ?? true,
})

/** A description is one line, also when it is pasted. */
const asOneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ')

/** Adds a banner at the end, or changes one. */
export function BannerDrawer({ banner, onClose }: { banner: ManagedBanner | null; onClose: () => void }) {
  const queries = useQueryClient()
  const { save, tellSaved } = useUndoable()
  return (
    <RowDrawer<Values, ManagedBanner>
      title={banner ? `แก้ไข Banner ${banner.description}` : 'เพิ่ม Banner'}
      width={480}
      row={banner}
      valuesOf={valuesOf}
      labels={labels}
      show={{ picture: ({ picture }) => picture && <img className="thumb" src={picture} alt={labels.picture} /> }}
      send={({ picture, ...values }, base) =>
        save(saveBanner, { body: { ...values, picture: picture ?? '', id: base?.id, version: base?.version } })
      }
      onSaved={async () => {
        tellSaved('บันทึก Banner สำเร็จ', { isNew: !banner })
        onClose()
        await queries.invalidateQueries({ queryKey: [listManagedBanners.path] })
      }}
      onClose={onClose}
    >
      <Form.Item
        name="picture"
        label={labels.picture}
        extra="แนะนำขนาด 1000x500 พิกเซล เฉพาะไฟล์รูปภาพ"
        rules={[{ required: true, message: 'กรุณาแนบรูป' }]}
      >
        <PictureUpload endpoint={uploadBanner} width={216} />
      </Form.Item>
      <Form.Item name="description" label={labels.description} normalize={asOneLine}>
        <Input.TextArea rows={3} maxLength={100} showCount />
      </Form.Item>
      <Form.Item name="isActive" label={labels.isActive} extra="ปิดแล้ว ไม่แสดงบนหน้าร้าน" valuePropName="checked">
        <Switch />
      </Form.Item>
    </RowDrawer>
  )
}

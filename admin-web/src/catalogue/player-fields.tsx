import { PLAYER_FIELD_NAMES } from '@shop/shared/catalogue/catalogue.ts'
import { uploadHint } from '@shop/shared/catalogue/picture-endpoints.ts'
import { Form, Input, Select, Switch } from 'antd'
import { PictureUpload, pictureArrived } from '../upload/picture-upload.tsx'
import { CheckList } from './check-list.tsx'
import { FORMAT_LABELS, type GameValues, LENGTH_UNITS } from './game-form.ts'
import { NumberRange } from './number-range.tsx'

const optionsOf = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Edits what a player types in, the hint where to find it, and who checks it. */
export function PlayerFields() {
  return (
    <>
      <fieldset className="form-part">
        <legend>ช่องที่ผู้เล่นต้องกรอก</legend>
        {PLAYER_FIELD_NAMES.map((name, index) => (
          <PlayerFieldRow key={name} index={index} />
        ))}
      </fieldset>
      <Form.Item name="playerHint" label="คำแนะนำว่าดูข้อมูลนี้ได้ที่ไหน (ไม่บังคับ)">
        <Input maxLength={300} autoComplete="off" placeholder="เช่น แตะรูปโปรไฟล์มุมซ้ายบน เลขอยู่ใต้ชื่อ" />
      </Form.Item>
      <Form.Item name="playerHintPicture" label="รูปคำแนะนำ (ไม่บังคับ)" rules={[pictureArrived]}>
        <PictureUpload endpoint={uploadHint} noun="รูปคำแนะนำ" width={120} isOptional />
      </Form.Item>
      <Form.Item
        name="playerChecks"
        label="ตรวจชื่อผู้เล่นกับ"
        extra="ถามตามลำดับจนได้ชื่อ ถ้าไม่มีใครตอบ ลูกค้าซื้อต่อได้โดยไม่เห็นชื่อ ผู้จำหน่ายตรวจจากสินค้าที่ผูกกับแพ็กเกจของเกมนี้"
      >
        <CheckList />
      </Form.Item>
    </>
  )
}

/**
 * Edits one of the five inputs. The first, the player id, is always on: without it there is nobody to top up. One that is
 * off keeps what was typed, for when it is wanted again.
 */
function PlayerFieldRow({ index }: { index: number }) {
  const field = `ช่องที่ ${index + 1}`
  const { isOn, kind } = Form.useWatch((values: GameValues) => values.inputs?.[index]) ?? {}
  return (
    <div className="player-field">
      <Form.Item name={['inputs', index, 'isOn']} valuePropName="checked">
        <Switch size="small" aria-label={`เปิด${field}`} disabled={index === 0} />
      </Form.Item>
      <Form.Item
        name={['inputs', index, 'label']}
        rules={[{ required: isOn, whitespace: isOn, message: `กรุณากรอกชื่อ${field}` }]}
      >
        <Input aria-label={`ชื่อ${field}`} placeholder={field} maxLength={50} autoComplete="off" disabled={!isOn} />
      </Form.Item>
      <Form.Item name={['inputs', index, 'kind']}>
        <Select aria-label={`รูปแบบ${field}`} options={optionsOf(FORMAT_LABELS)} disabled={!isOn} />
      </Form.Item>
      <div className="player-format">
        {(kind === 'digits' || kind === 'text') && (
          <NumberRange
            disabled={!isOn}
            unit={LENGTH_UNITS[kind]}
            names={[
              ['inputs', index, 'min'],
              ['inputs', index, 'max'],
            ]}
            labels={[`ความยาวต่ำสุดของ${field}`, `ความยาวสูงสุดของ${field}`]}
            max={100}
            missing="กรอก 1–100"
            wrongOrder="ต้องไม่น้อยกว่าเลขหน้า"
          />
        )}
        {kind === 'choices' && (
          <Form.Item
            name={['inputs', index, 'choices']}
            rules={[{ required: isOn, type: 'array', message: 'กรุณากรอกตัวเลือกอย่างน้อย 1 รายการ' }]}
          >
            <Select
              mode="tags"
              disabled={!isOn}
              open={false}
              suffixIcon={null}
              tokenSeparators={[',']}
              maxCount={200}
              aria-label={`ตัวเลือกของ${field}`}
              placeholder="พิมพ์แล้วกด Enter"
            />
          </Form.Item>
        )}
      </div>
    </div>
  )
}

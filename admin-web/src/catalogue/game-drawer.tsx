import { listLanguages, listPlatforms, listRegions } from '@shop/shared/catalogue/endpoints.ts'
import { listQmsGames, type ManagedGame, saveGame } from '@shop/shared/catalogue/manage-endpoints.ts'
import { uploadLogo } from '@shop/shared/catalogue/picture-endpoints.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useQuery } from '@tanstack/react-query'
import { App, Checkbox, Form, Input, Select } from 'antd'
import { useNavigate } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { useUndoable } from '../audit/use-undoable.tsx'
import { FormConflict } from '../ui/conflict.tsx'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { useFormSave } from '../ui/use-save.ts'
import { PictureUpload, pictureArrived } from '../upload/picture-upload.tsx'
import { asCode, bodyOf, compareGames, type GameValues, valuesOf } from './game-form.ts'
import { NumberRange } from './number-range.tsx'
import { placeOfFirstPackage } from './place-of-prices.ts'
import { PlayerFields } from './player-fields.tsx'
import { useCatalogueChanged } from './use-catalogue-changed.ts'

const CACHED_MS = 60_000

/** Adds a game, or edits one. */
export function GameDrawer({ game, onClose }: { game: ManagedGame | null; onClose: () => void }) {
  const { save, tellSaved } = useUndoable()
  const { modal } = App.useApp()
  const askToTake = (content: string) =>
    modal.confirm({ title: 'ใช้รหัสนี้กับเกมนี้?', content, okText: 'ให้ลิงก์เก่าพามาเกมนี้', cancelText: 'ใช้รหัสอื่น' })
  const navigate = useNavigate()
  const [form] = Form.useForm<GameValues>()
  const edit = useFormSave<GameValues, ManagedGame>({
    form,
    record: game,
    valuesOf,
    send: async (values, over) => {
      const body = bodyOf(values, over)
      try {
        return await save(saveGame, { body })
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'GAME_CODE_OF_OTHER')) throw error
        if (!(await askToTake(messageOf(error)))) throw error
        return save(saveGame, { body: { ...body, takesOldCode: true } })
      }
    },
    onSaved: ({ id, name }) => {
      tellSaved(`บันทึก ${name} สำเร็จ`, { isNew: !game })
      onClose()
      if (!game) navigate(placeOfFirstPackage(id))
    },
    fieldOf: { GAME_CODE_TAKEN: 'code', GAME_CODE_OF_OTHER: 'code' },
    onSettled: useCatalogueChanged(),
  })
  return (
    <FormDrawer
      title={game ? `แก้ไขเกม ${game.name}` : 'เพิ่มเกม'}
      width={680}
      isSaving={edit.isSaving}
      isChanged={edit.isChanged}
      failureTitle="ไม่สามารถบันทึกข้อมูลได้ กรุณาลองอีกครั้ง"
      failure={edit.failure}
      onSave={form.submit}
      onClose={onClose}
    >
      <FormConflict form={form} edit={edit} compare={(mine, theirs) => compareGames(mine, valuesOf(theirs))} />
      <Form<GameValues>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={valuesOf(game)}
        onValuesChange={edit.noteChange}
        onFinish={edit.save}
      >
        {/* A picture's field keeps more than its value, so it starts again with each version of the game. */}
        <NameFields key={`name${edit.base?.version}`} game={game} />
        <FilterFields />
        <PlayerFields key={`player${edit.base?.version}`} />
        <DeliveryFields />
        <Form.Item name="isActive" valuePropName="checked" style={{ marginBottom: 0 }}>
          <Checkbox>ใช้งาน</Checkbox>
        </Form.Item>
        <button type="submit" hidden />
      </Form>
    </FormDrawer>
  )
}

const required = (label: string) => ({ required: true, whitespace: true, message: `กรุณากรอก${label}` })

/** Tells what the code is for and, while it is being changed, what becomes of the links that are out there. */
function CodeHint({ game }: { game: ManagedGame | null }) {
  const code: string = Form.useWatch('code') ?? ''
  if (game && code.trim() !== game.code) return <>ลิงก์และ QR เดิม /game/{game.code} ยังใช้ได้ จะพาไปที่รหัสใหม่</>
  return <>ตัวพิมพ์เล็ก ตัวเลข และ - เป็นส่วนหนึ่งของลิงก์ร้าน: /game/{code || 'รหัสเกม'}</>
}

function NameFields({ game }: { game: ManagedGame | null }) {
  const client = useClient()
  const qms = useQuery({ ...client.query(listQmsGames), staleTime: CACHED_MS })
  return (
    <>
      <Form.Item
        name="code"
        label="รหัสเกม"
        normalize={asCode}
        extra={<CodeHint game={game} />}
        rules={[
          required('รหัสเกม'),
          { pattern: /^\s*([a-z0-9][a-z0-9-]{0,49})?\s*$/, message: 'ใช้ได้เฉพาะ a-z, 0-9 และ - ไม่เกิน 50 ตัว' },
        ]}
      >
        <Input autoFocus maxLength={50} autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item name="name" label="ชื่อเกม" rules={[required('ชื่อเกม')]}>
        <Input maxLength={100} autoComplete="off" />
      </Form.Item>
      <Form.Item name="desc" label="คำอธิบาย (ไม่บังคับ)" extra="ลูกค้าเห็นใต้ชื่อเกมในหน้าซื้อ">
        <Input maxLength={500} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="qmsGameId"
        label="เกมใน QMS (ไม่บังคับ)"
        extra={qms.isError ? <span role="alert">โหลดรายการเกมของ QMS ไม่ได้ บันทึกส่วนอื่นได้ตามปกติ</span> : undefined}
      >
        <Select
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          placeholder="ไม่ผูกกับ QMS"
          loading={qms.isFetching}
          options={qms.data?.map(each => ({ value: each.game_id, label: `${each.game_sdesc} (${each.game_id})` }))}
        />
      </Form.Item>
      <Form.Item
        name="picture"
        label="โลโก้ (ไม่บังคับ)"
        extra="รูปสี่เหลี่ยมจัตุรัส แนะนำ 228x228 พิกเซล รูปทรงอื่นจะถูกตัดให้เหลือตรงกลาง"
        rules={[pictureArrived]}
      >
        <PictureUpload endpoint={uploadLogo} noun="โลโก้" width={76} isOptional />
      </Form.Item>
      <Form.Item name="searchWords" label="คำค้นหา (ไม่บังคับ)" extra="ชื่ออื่นที่ลูกค้าใช้ค้นหา ไทยหรืออังกฤษ พิมพ์แล้วกด Enter">
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',']} maxCount={30} />
      </Form.Item>
    </>
  )
}

const FILTERS = [
  ['regions', 'ภูมิภาค', listRegions],
  ['languages', 'ภาษา', listLanguages],
  ['platforms', 'แพลตฟอร์ม', listPlatforms],
] as const

function FilterFields() {
  return (
    <div className="field-triple">
      {FILTERS.map(([name, label, endpoint]) => (
        <Form.Item key={name} name={name} label={label}>
          <TagSelect endpoint={endpoint} />
        </Form.Item>
      ))}
    </div>
  )
}

function TagSelect(props: {
  endpoint: (typeof FILTERS)[number][2]
  id?: string
  value?: string[]
  onChange?: (codes: string[]) => void
}) {
  const { endpoint, id, value, onChange } = props
  const client = useClient()
  const tags = useQuery({ ...client.query(endpoint), staleTime: CACHED_MS })
  return (
    <Select
      id={id}
      mode="multiple"
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="ไม่ระบุ"
      loading={tags.isFetching}
      notFoundContent={tags.isError ? <span role="alert">โหลดไม่สำเร็จ</span> : undefined}
      value={value}
      options={tags.data?.map(({ code, name }) => ({ value: code, label: name }))}
      onChange={onChange}
    />
  )
}

function DeliveryFields() {
  return (
    <fieldset className="form-part">
      <legend>เวลาเติมปกติ (นาที)</legend>
      <NumberRange
        names={['minutesFrom', 'minutesTo']}
        labels={['เวลาเติมเร็วสุด (นาที)', 'เวลาเติมช้าสุด (นาที)']}
        max={10_000}
        missing="กรุณากรอกนาที"
        wrongOrder="ต้องไม่น้อยกว่าเวลาเร็วสุด"
      />
    </fieldset>
  )
}

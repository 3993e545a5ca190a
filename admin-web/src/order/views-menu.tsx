import { Button, Form, Input, Popover } from 'antd'
import { Bookmark, X } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useMe } from '../account/session.tsx'
import { required } from '../ui/form-errors.ts'
import { useSavedViews, viewOf } from './saved-views.ts'

/** Lists the caller's saved views, and saves the present filters under a name. */
export function ViewsMenu() {
  const me = useMe()
  const { search, pathname } = useLocation()
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(false)
  const [form] = Form.useForm<{ name: string }>()
  const { views, save, remove } = useSavedViews(me.uid)
  const current = viewOf(search)
  const content = (
    <div style={{ width: 260 }}>
      {views.length === 0 && <p className="note muted">ยังไม่มีมุมมองที่บันทึกไว้</p>}
      <ul className="views">
        {views.map(view => (
          <li key={view.name} className="row">
            <Button
              type="text"
              className="grow"
              aria-current={view.search === current}
              onClick={() => {
                navigate(`${pathname}?${view.search}`)
                setIsOpen(false)
              }}
            >
              {view.name}
            </Button>
            <Button
              type="text"
              size="small"
              aria-label={`ลบมุมมอง ${view.name}`}
              icon={<X size={16} aria-hidden />}
              onClick={() => remove(view.name)}
            />
          </li>
        ))}
      </ul>
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={({ name }) => {
          save(name, search)
          form.resetFields()
        }}
      >
        <Form.Item name="name" label="บันทึกตัวกรองนี้เป็น" rules={[required('กรุณาตั้งชื่อ')]} style={{ margin: '8px 0' }}>
          <Input maxLength={40} autoComplete="off" />
        </Form.Item>
        <Button block htmlType="submit">
          บันทึก
        </Button>
      </Form>
    </div>
  )
  return (
    <Popover trigger="click" placement="bottomRight" open={isOpen} onOpenChange={setIsOpen} content={content}>
      <Button icon={<Bookmark size={16} aria-hidden />}>มุมมองของฉัน</Button>
    </Popover>
  )
}

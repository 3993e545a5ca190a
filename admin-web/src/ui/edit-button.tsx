import { Button } from 'antd'

/** Opens the form of a row, as a click on the row does. */
export function EditButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button type="link" size="small" className="row-opener" aria-label={`แก้ไข ${name}`} onClick={onClick}>
      แก้ไข
    </Button>
  )
}

import { Button, Modal, Switch } from 'antd'
import { Keyboard } from 'lucide-react'
import { Fragment, useState } from 'react'
import { QUEUE_KEYS } from './queue-keys.ts'

const STORED = 'queue-letters'

/** Whether letters are shortcuts, and the way to switch them; the choice is kept in this browser. */
export function useLetterKeys(): [boolean, (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(() => localStorage.getItem(STORED) !== 'off')
  const turn = (next: boolean) => {
    localStorage.setItem(STORED, next ? 'on' : 'off')
    setIsOn(next)
  }
  return [isOn, turn]
}

/** A button that opens the list of shortcuts. */
export function QueueHelp(props: {
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  areLettersOn: boolean
  onLetters: (isOn: boolean) => void
}) {
  const { isOpen, onOpen, areLettersOn, onLetters } = props
  return (
    <>
      <Button
        className="queue-help"
        icon={<Keyboard size={16} aria-hidden />}
        aria-keyshortcuts="?"
        onClick={() => onOpen(true)}
      >
        ปุ่มลัด
      </Button>
      <Modal open={isOpen} title="ปุ่มลัดของหน้านี้" footer={null} onCancel={() => onOpen(false)} width={460}>
        <dl className="key-help">
          {QUEUE_KEYS.map(({ keys, does }) => (
            <Fragment key={does}>
              <dt>
                {keys.map(key => (
                  <kbd key={key} className="shortcut">
                    {key}
                  </kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </Fragment>
          ))}
        </dl>
        <div className="row">
          <Switch checked={areLettersOn} onChange={onLetters} aria-label="ใช้ปุ่มตัวอักษร" />
          ใช้ปุ่มตัวอักษร (J K C X Z R F B N)
        </div>
      </Modal>
    </>
  )
}

import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useObjectUrl } from '@shop/web/files.ts'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { Button, Upload } from 'antd'
import { ImageUp, X } from 'lucide-react'
import { type Ref, useState } from 'react'
import './image-upload.css'

/** The status of a failed upload. Only after a server error is it worth sending the same file again. */
const errorStatusOf = (error: unknown) => (error instanceof AppError ? error.status : 500)

/** What a form gives to its field. The button takes the focus and tells the message, because the file's input is hidden. */
export interface UploadField {
  id?: string
  ref?: Ref<HTMLButtonElement>
  'aria-describedby'?: string
}

/** Uploads one picture as soon as it is chosen. */
export function ImageUpload<Sent>(props: {
  field: UploadField
  /** The word for the picture, e.g. "สลิป". */
  noun: string
  /** The address of the picture that is saved already. */
  shown?: string | null
  width: number
  send: (file: File) => Promise<Sent>
  /** Gets the upload's answer; null while there is none. */
  onChange: (sent: Sent | null) => void
  /** A picture was chosen and is not uploaded yet. */
  onChoose?: () => void
  /** Brings the saved picture back; without it, a chosen picture can only be removed. */
  onRestore?: () => void
  /** Removes the saved picture, where there may be none. */
  onRemove?: () => void
}) {
  const { field, noun, shown, width, send, onChange, onChoose, onRestore, onRemove } = props
  const { id, ref, 'aria-describedby': describedBy } = field
  const [file, setFile] = useState<File | null>(null)
  const preview = useObjectUrl(file)
  const upload = useMutation({ mutationFn: send, onSuccess: onChange })
  const choose = (chosen: File) => {
    onChange(null)
    onChoose?.()
    setFile(chosen)
    upload.mutate(chosen)
    return false
  }
  const clear = () => {
    setFile(null)
    upload.reset()
    if (onRestore && file) onRestore()
    else if (onRemove) onRemove()
    else onChange(null)
  }
  // After the upload, the picture as the server stored it.
  const isShown = !file || (upload.isSuccess && Boolean(shown))
  const picture = isShown ? shown : !upload.isError && preview
  return (
    <div className="image-upload">
      {picture && <img src={picture} alt={file ? `${noun}ที่เลือก` : `${noun}ปัจจุบัน`} width={width} />}
      <div className="grow">
        <div className="row">
          <Upload id={id} accept="image/*" maxCount={1} showUploadList={false} beforeUpload={choose}>
            <Button
              ref={ref}
              aria-describedby={describedBy}
              icon={<ImageUp size={16} aria-hidden />}
              loading={upload.isPending}
            >
              {file || shown ? `เปลี่ยน${noun}` : `แนบ${noun}`}
            </Button>
          </Upload>
          {(file || (shown && onRemove)) && (
            <Button
              type="text"
              icon={<X size={16} aria-hidden />}
              aria-label={onRestore && file ? undefined : `เอา${noun}ออก`}
              onClick={clear}
            >
              {onRestore && file && `ใช้${noun}เดิม`}
            </Button>
          )}
        </div>
        <UploadOutcome noun={noun} upload={upload} file={file} />
      </div>
    </div>
  )
}

function UploadOutcome(props: {
  noun: string
  upload: Pick<UseMutationResult<unknown, Error, File>, 'isSuccess' | 'isPending' | 'isError' | 'error' | 'mutate'>
  file: File | null
}) {
  const { noun, upload, file } = props
  return (
    <>
      <div className="note" role="status">
        {upload.isSuccess && <span className="is-ok">{file?.name} file uploaded successfully</span>}
        {upload.isPending && (
          <>
            <span className="muted">กรุณารอสักครู่..</span>
            <progress aria-label={`กำลังอัปโหลด${noun}`} />
          </>
        )}
      </div>
      {upload.isError && (
        <div className="field-error" role="alert">
          {file?.name} file upload failed. {messageOf(upload.error)}{' '}
          {file && errorStatusOf(upload.error) >= 500 && (
            <Button size="small" onClick={() => upload.mutate(file)}>
              ลองอีกครั้ง
            </Button>
          )}
        </div>
      )}
    </>
  )
}

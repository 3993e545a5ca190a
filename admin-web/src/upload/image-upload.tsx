import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useObjectUrl } from '@shop/web/files.ts'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { Button, Upload } from 'antd'
import { ImageUp, X } from 'lucide-react'
import { useState } from 'react'
import './image-upload.css'

/** A file that was refused stays refused; only a server in trouble is worth asking again. */
const errorStatusOf = (error: unknown) => (error instanceof AppError ? error.status : 500)

/** One picture, sent as soon as it is chosen. */
export function ImageUpload<Sent>(props: {
  id?: string
  /** What the picture is called, e.g. "สลิป". */
  noun: string
  /** Address of the picture that is there already. */
  shown?: string | null
  width: number
  send: (file: File) => Promise<Sent>
  /** null while none is sent. */
  onChange: (sent: Sent | null) => void
  /** Brings back the picture that was there; without it, a chosen one is only taken out. */
  onRestore?: () => void
  /** Takes out the picture that is there, where there may be none. */
  onRemove?: () => void
}) {
  const { id, noun, shown, width, send, onChange, onRestore, onRemove } = props
  const [file, setFile] = useState<File | null>(null)
  const preview = useObjectUrl(file)
  const upload = useMutation({ mutationFn: send, onSuccess: onChange })
  const choose = (chosen: File) => {
    onChange(null)
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
  // Once it was sent, what the shop made of it.
  const isShown = !file || (upload.isSuccess && Boolean(shown))
  const picture = isShown ? shown : !upload.isError && preview
  return (
    <div className="image-upload">
      {picture && <img src={picture} alt={file ? `${noun}ที่เลือก` : `${noun}ปัจจุบัน`} width={width} />}
      <div className="grow">
        <div className="row">
          <Upload id={id} accept="image/*" maxCount={1} showUploadList={false} beforeUpload={choose}>
            <Button icon={<ImageUp size={16} aria-hidden />} loading={upload.isPending}>
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

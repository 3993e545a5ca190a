import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useObjectUrl } from '@shop/web/files.ts'
import { useMutation } from '@tanstack/react-query'
import { Button, Upload } from 'antd'
import { ImageUp, X } from 'lucide-react'
import { useState } from 'react'
import './file-upload.css'

/** A file that was refused stays refused; only a server in trouble is worth asking again. */
const mayPass = (error: unknown) => !(error instanceof AppError) || error.status >= 500

/** One picture, sent as soon as it is chosen; shown from the moment it is chosen, with how sending it went. */
export function FileUpload(props: {
  id?: string
  /** What it is a picture of: "สลิป". */
  what: string
  choose: string
  /** The picture there is without a new file. */
  url?: string
  width: number
  send: (file: File) => Promise<string>
  /** The name the server gave the file; null while there is none. */
  onChange: (to: string | null) => void
  /** After a failed upload; without it there is no picture then. */
  onFailure?: () => void
  onClear: () => void
}) {
  const { id, what, choose, url, width, send, onChange, onFailure, onClear } = props
  const [file, setFile] = useState<File | null>(null)
  const preview = useObjectUrl(file)
  const upload = useMutation({ mutationFn: send, onSuccess: onChange, onError: onFailure })
  const start = (chosen: File) => {
    onChange(null)
    setFile(chosen)
    upload.mutate(chosen)
    return false
  }
  const clear = () => {
    setFile(null)
    upload.reset()
    onClear()
  }
  const shown = (upload.isPending || !url) && !upload.isError ? preview : url
  return (
    <div className="file-upload">
      {shown && <img src={shown} alt={`${what}ที่เลือก`} width={width} />}
      <div className="grow">
        <div className="row">
          <Upload id={id} accept="image/*" maxCount={1} showUploadList={false} beforeUpload={start}>
            <Button icon={<ImageUp size={16} aria-hidden />} loading={upload.isPending}>
              {file || url ? `เปลี่ยน${what}` : choose}
            </Button>
          </Upload>
          {(file || url) && (
            <Button
              type="text"
              icon={<X size={16} aria-hidden />}
              aria-label={`เอา${what}ออก`}
              disabled={upload.isPending}
              onClick={clear}
            />
          )}
        </div>
        <div className="note" role="status">
          {upload.isSuccess && <span className="is-ok">{file?.name} file uploaded successfully</span>}
          {upload.isPending && <span className="muted">กำลังอัปโหลด {file?.name} กรุณารอสักครู่..</span>}
        </div>
        {upload.isError && (
          <div className="field-error" role="alert">
            {file?.name} file upload failed. {messageOf(upload.error)}{' '}
            {file && mayPass(upload.error) && (
              <Button size="small" onClick={() => start(file)}>
                ลองอีกครั้ง
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

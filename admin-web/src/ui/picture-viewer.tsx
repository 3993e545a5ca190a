import { Button } from 'antd'
import { Maximize, Minimize, RotateCw, ZoomIn, ZoomOut } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import './picture-viewer.css'

const ZOOMS = [1, 1.5, 2, 3, 4]

function useFullScreen() {
  const ref = useRef<HTMLDivElement>(null)
  const [isFull, setIsFull] = useState(false)
  useEffect(() => {
    const follow = () => setIsFull(document.fullscreenElement !== null && document.fullscreenElement === ref.current)
    document.addEventListener('fullscreenchange', follow)
    return () => document.removeEventListener('fullscreenchange', follow)
  }, [])
  const toggle = () => void (isFull ? document.exitFullscreen() : ref.current?.requestFullscreen())
  return { ref, isFull, toggle }
}

/** Zoom steps of what `ref` scrolls; what is in its middle stays there. */
function useZoom() {
  const ref = useRef<HTMLDivElement>(null)
  const middle = useRef({ x: 0.5, y: 0.5 })
  const [step, setStep] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sheet has its new size after each step
  useLayoutEffect(() => {
    const stage = ref.current
    if (!stage) return
    stage.scrollLeft = middle.current.x * stage.scrollWidth - stage.clientWidth / 2
    stage.scrollTop = middle.current.y * stage.scrollHeight - stage.clientHeight / 2
  }, [step])
  const zoomBy = (by: number) => {
    const stage = ref.current
    if (stage) {
      const x = (stage.scrollLeft + stage.clientWidth / 2) / stage.scrollWidth
      const y = (stage.scrollTop + stage.clientHeight / 2) / stage.scrollHeight
      middle.current = { x, y }
    }
    setStep(now => Math.min(ZOOMS.length - 1, Math.max(0, now + by)))
  }
  return { ref, step, zoomBy }
}

/**
 * A picture to examine: zoom, quarter turns, full screen. With the focus on it, + and - zoom, R turns, F fills the
 * screen and the arrow keys move about.
 */
export function PictureViewer({ url, alt }: { url: string; alt: string }) {
  const { ref: stageRef, step, zoomBy } = useZoom()
  const [quarters, setQuarters] = useState(0)
  const { ref, isFull, toggle } = useFullScreen()
  const turn = () => setQuarters(now => now + 1)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const act = { '+': () => zoomBy(1), '=': () => zoomBy(1), '-': () => zoomBy(-1), r: turn, f: toggle }[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <div className="viewer" ref={ref}>
      <div className="viewer-tools">
        <Button
          icon={<ZoomOut size={18} aria-hidden />}
          aria-label="ย่อ"
          disabled={step === 0}
          onClick={() => zoomBy(-1)}
        />
        <Button
          icon={<ZoomIn size={18} aria-hidden />}
          aria-label="ขยาย"
          disabled={step === ZOOMS.length - 1}
          onClick={() => zoomBy(1)}
        />
        <Button icon={<RotateCw size={18} aria-hidden />} aria-label="หมุนภาพ" onClick={turn} />
        <Button
          icon={isFull ? <Minimize size={18} aria-hidden /> : <Maximize size={18} aria-hidden />}
          aria-label={isFull ? 'ออกจากเต็มจอ' : 'เต็มจอ'}
          onClick={toggle}
        />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a scrollable area that keys move and zoom, not a fieldset */}
      <div
        ref={stageRef}
        className="viewer-stage"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={`${alt} ใช้ + − ย่อขยาย R หมุน F เต็มจอ และปุ่มลูกศรเลื่อนภาพ`}
        onKeyDown={onKeyDown}
      >
        <div
          className={quarters % 2 ? 'viewer-sheet is-sideways' : 'viewer-sheet'}
          style={{ '--zoom': ZOOMS[step], '--turn': `${quarters * 90}deg` } as CSSProperties}
        >
          <img src={url} alt={alt} />
        </div>
      </div>
    </div>
  )
}

const GAP = 12

type Rect = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>

/** The room for a toast in the window. */
interface Room {
  width: number
  height: number
  /** The lower edge of the top bar. */
  ceiling: number
  /** The upper edge of the bar at the bottom. */
  floor: number
}

/** Whether two rectangles overlap. */
const meets = (a: Rect, b: Rect): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/**
 * Finds a place for a toast of this size that overlaps no obstacle: at the bottom in the middle, else below the top
 * bar, at the very top, or at the bottom on the right. If none of these is free, it is the very top.
 */
export function placeClearOf(obstacles: Rect[], size: { width: number; height: number }, room: Room): Rect {
  const low = room.floor - GAP - size.height
  const middle = (room.width - size.width) / 2
  const at = (left: number, top: number) => ({ left, top, right: left + size.width, bottom: top + size.height })
  const highest = at(middle, 8)
  const places = [at(middle, low), at(middle, room.ceiling + 8), highest, at(room.width - GAP - size.width, low)]
  return places.find(place => !obstacles.some(each => meets(place, each))) ?? highest
}

/** The obstacles for a toast, which are the pressed button and open sheets, and the room that there is. */
export function surroundings(pressed: Element | null): { obstacles: Rect[]; room: Room } {
  const rectOf = (element: Element) => element.getBoundingClientRect()
  const { innerWidth: width, innerHeight: height } = window
  const bars = [...document.querySelectorAll('[data-bar]')].map(rectOf)
  const atBottom = bars.filter(bar => bar.height > 0 && bar.top < height && bar.bottom >= height)
  const header = document.querySelector('header')
  return {
    obstacles: [...document.querySelectorAll('[data-sheet]'), ...(pressed ? [pressed] : [])].map(rectOf),
    room: {
      width,
      height,
      ceiling: header ? Math.max(0, rectOf(header).bottom) : 0,
      floor: Math.min(height, ...atBottom.map(bar => bar.top)),
    },
  }
}

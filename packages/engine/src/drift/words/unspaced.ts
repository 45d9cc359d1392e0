/** Scripts that write without spaces between words. */
export const UNSPACED_CLASS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆〇";

/**
 * Negations of these scripts. Every `不` counts, also in compounds like `不同`: a false alarm is cheaper than a missed
 * negation. Sticky: it is tried at each character.
 */
export const UNSPACED_NEGATOR =
  /不再|不要|不得|不准|不许|不能|不会|不必|不用|不|(?<![类類级級区區特性个個分识識])(?:别再|別再|别|別)|勿|切莫|莫要|避免|除了|以外|除く|以免|免得|停止|禁止|禁|没有|沒有|没|沒|无需|無需|无|無|未(?!来|來)|非(?!常(?![规規见見用]))|しない|ません|ない|ずに|せずに|せず|なし|なく|やめ|ไม่|อย่า|ห้าม|ບໍ່|မ(?=[က-အ])|កុំ|មិន/uy;

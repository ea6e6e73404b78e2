#[inline(always)]
fn double(x: usize) -> usize { x + x }

#[no_mangle]
pub fn total(a: &[usize]) -> usize {
    a.iter().filter(|x| **x > 3).map(|x| double(*x)).sum()
}

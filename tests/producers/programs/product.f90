! A product of matrices by an intrinsic function, in a program of its own, which prints the sum of it.
program product
  implicit none
  real(8) :: a(6, 6), b(6, 6), c(6, 6)
  integer :: i, j
  do j = 1, 6
    do i = 1, 6
      a(i, j) = i + 2 * j
      b(i, j) = i * j - 5
    end do
  end do
  c = matmul(a, b)
  print '(i0)', int(sum(c))
end program

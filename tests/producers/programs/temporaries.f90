program temporaries
  implicit none
  real(8) :: y(3, 3)
  integer :: i
  y = reshape([(real(i, 8), i = 1, 9)], [3, 3])
  y = matmul(y, transpose(y))
  where (y > 50) y = -y
  print '(i0)', nint(sum(y))
end program

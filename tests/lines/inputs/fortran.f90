module m
contains
  integer function total(a)
    integer, intent(in) :: a(:)
    integer :: i
    total = 0
    do i = 1, size(a)
      if (a(i) > 3) then; total = total + a(i); else; total = total - 1; end if
    end do
  end function
end module

program p
  use m
  integer :: a(8)
  a = [(i * i, i = 1, 8)]
  print *, total(a), sum(a)
end program
